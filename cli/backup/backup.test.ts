import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { execa, execaSync } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../db/database.ts'
import { mediaPrefix, posterKey, uploadName } from '../../domain/videos/media-paths.ts'
import { checkMasterKeys } from '../../processes/open-master-keys.ts'
import { pinnedNode, projectDir } from '../../scripts/bootstrap/tools.mjs'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { createStorage, type ObjectStorage } from '../../storage/object-storage.ts'
import { cliHarness, startCli } from '../../test/fixtures/cli.ts'
import type { PreparedVideos } from '../../test/infrastructure/prepared-videos.ts'
import { copyPreparedVideos, s3Server } from '../../test/infrastructure/services.ts'
import { until } from '../../test/infrastructure/wait-for.ts'
import { readList } from './object-list.ts'
import { openPool } from './object-pool.ts'

interface BackupRecord {
  name: string
  path: string
  objects: number
  new_objects: number
  read_objects: number
  removed_backups: string[]
}

let folder: string
/** The folder of the backups. */
let dir: string
/** The folder of their contents. */
let pool: string
let original: PreparedVideos & { drop(): Promise<void> }
let storage: ObjectStorage
let environment: Record<string, string>
/** The newest backup. */
let last: BackupRecord

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-backup-'))
  dir = join(folder, 'backups')
  pool = join(dir, 'objects')
  original = await copyPreparedVideos()
  const { url, masterKey, wideId, tallId } = original
  const storageDir = join(folder, 'objects')
  environment = { DATABASE_URL: url, MASTER_KEY: masterKey, STORAGE_DIR: storageDir }
  storage = createStorage({ driver: 'folder', dir: storageDir })
  // One rung of each is enough, and each object takes time.
  const filter = (path: string) => !/\/(360|480)p$/.test(path)
  for (const prefix of [mediaPrefix(wideId), mediaPrefix(tallId)])
    await cp(join(original.objects, prefix), join(storageDir, prefix), { recursive: true, filter })
  const db = await openDatabase({ url })
  // As each process does when it starts.
  await checkMasterKeys(db.em.fork(), parseMasterKeys(masterKey))
  await db.close(true)
}, 300_000)
afterAll(async () => {
  await original.drop()
  await rm(folder, { recursive: true, force: true })
})

const reelgate = (env: Record<string, string>, ...args: string[]) =>
  cliHarness({ ...environment, ...env })(...args, '--json')

async function backUp(...options: string[]): Promise<BackupRecord> {
  const { status, stdout, stderr } = await reelgate({}, 'backup', dir, ...options)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  last = JSON.parse(stdout) as BackupRecord
  return last
}

const errorCode = (stderr: string) => (JSON.parse(stderr) as { error: { code: string } }).error.code

const filesIn = async (path: string): Promise<string[]> =>
  (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

const contentsHeld = async (): Promise<string[]> =>
  (await filesIn(pool).catch(() => [])).filter((name) => /^[0-9a-f]{64}$/.test(name))

async function readContentList({ path }: BackupRecord) {
  const found: { key: string; sha256: string }[] = []
  for await (const { objects } of readList(join(path, 'objects.jsonl'))) found.push(...objects)
  return found
}

/** The SHA-256 of each content of a backup, once. */
const contentsOf = async (backup: BackupRecord): Promise<string[]> => [
  ...new Set((await readContentList(backup)).map(({ sha256 }) => sha256)),
]

/** Copies all objects to a bucket. */
async function moveToS3(): Promise<Record<string, string>> {
  const bucket = await s3Server()
  const target = createStorage(bucket)
  const copies: Promise<unknown>[] = []
  for await (const { key, sizeBytes } of storage.list('')) {
    const body = (await storage.read(key, sizeBytes))?.body ?? Buffer.alloc(0)
    copies.push(target.putBuffer(key, body, 'video/mp4'))
  }
  await Promise.all(copies)
  return {
    S3_ENDPOINT: bucket.endpoint,
    S3_REGION: bucket.region,
    S3_BUCKET: bucket.bucket,
    S3_ACCESS_KEY: bucket.accessKey,
    S3_SECRET_KEY: bucket.secretKey,
  }
}

describe('a backup', () => {
  it('copies only what is new since the last backup', async () => {
    const first = await backUp()
    const held = await contentsHeld()
    expect(first).toMatchObject({ new_objects: held.length, read_objects: first.objects })
    const key = posterKey(original.wideId, uploadName(1))
    await storage.putBuffer(key, randomBytes(1_234), 'image/jpeg')
    expect(await backUp()).toMatchObject({
      objects: first.objects + 1,
      new_objects: 1,
      new_bytes: 1_234,
      read_objects: 1,
    })
    expect(await contentsHeld()).toHaveLength(held.length + 1)
  })

  it('backs up from S3, also incrementally', async () => {
    const env = await moveToS3()
    const copied = (await reelgate(env, 'backup', dir)).json<BackupRecord>()
    expect(copied).toMatchObject({ new_objects: 0, new_bytes: 0 })
    expect(copied.read_objects).toBe(copied.objects)
    const again = (await reelgate(env, 'backup', dir)).json<BackupRecord>()
    expect(again).toMatchObject({ new_objects: 0, read_objects: 0, objects: copied.objects })
  })

  it('keeps as many backups as it should, and their contents only', async () => {
    await storage.deletePrefix(`${mediaPrefix(original.wideId)}uploads/`)
    const held = await contentsHeld()
    const { name, removed_backups: removed } = await backUp('--keep', '1')
    expect(removed).toHaveLength(4)
    expect(await readdir(join(dir, 'backups'))).toEqual([name])
    expect((await filesIn(pool)).toSorted()).toEqual((await contentsOf(last)).toSorted())
    expect(await contentsHeld()).toHaveLength(held.length - 1)
  })

  it('holds no key in the clear', async () => {
    const { path } = last
    const [key] = parseMasterKeys(original.masterKey).keys.values()
    for (const name of await filesIn(path)) {
      const raw = await readFile(join(path, name.endsWith('.gz') ? 'database' : '.', name))
      const text = name.endsWith('.gz') ? gunzipSync(raw).toString() : raw.toString()
      expect(text).not.toContain(key?.toString('hex'))
      expect(text).not.toContain(original.signingSecret)
    }
  })

  it('refuses a second backup while one runs', async () => {
    const runs = await Promise.all([reelgate({}, 'backup', dir), reelgate({}, 'backup', dir)])
    expect(new Set(runs.map(({ status }) => status))).toEqual(new Set([0, 1]))
    expect(errorCode(runs.map(({ stderr }) => stderr).join(''))).toBe('backup_running')
  })

  it('names a folder that cannot be written', async () => {
    const file = join(folder, 'a-file')
    await writeFile(file, '')
    const { status, stderr } = await reelgate({}, 'backup', join(file, 'backups'))
    expect(status).toBe(1)
    expect(errorCode(stderr)).toBe('backup_folder_unusable')
  })
})

/** Only a process with the capability CAP_SYS_ADMIN, such as root outside of most containers, may mount a file system. */
const canMount = execaSync('unshare', ['--mount', 'true'], { reject: false }).exitCode === 0

/** Runs a backup as a process, into a copy of the folder on a file system of its own that has 8 KiB free. */
const backUpOntoFull = async (disk: string, prepare: string) => {
  await mkdir(disk)
  const copy = `mount -t tmpfs -o size=1g none "$0" && cp -r "$1/." "$0" && ${prepare}`
  const fill = 'cat /dev/zero > "$0/fill" 2> /dev/null; truncate -s -8K "$0/fill"'
  const script = `${copy}; ${fill}; shift; exec "$@"`
  const backup = [pinnedNode, '--no-warnings', 'cli/main.ts', 'backup', disk, '--json']
  const run = await execa('unshare', ['--mount', 'sh', '-c', script, disk, dir, ...backup], {
    env: environment,
    cwd: projectDir,
    reject: false,
    timeout: 60_000,
  })
  return { status: run.exitCode, stdout: run.stdout, stderr: run.stderr }
}

describe.runIf(canMount)('a backup on a full disk', () => {
  it.each([
    ['the list of its objects', 'true'],
    ['several objects', 'rm -r "$0"/objects/[0-9a-f]*'],
  ])('prints one error if it has no space for %s', async (what, prepare) => {
    const { status, stdout, stderr } = await backUpOntoFull(join(folder, what), prepare)
    expect([status, stdout, errorCode(stderr)]).toEqual([1, '', 'backup_folder_unusable'])
  })
})

describe('a backup that is interrupted', () => {
  it('leaves the one before whole, and the next continues it', async () => {
    const { name } = last
    await rm(pool, { recursive: true })
    // All rungs, so that many objects are left when the first is copied.
    const env = { ...environment, STORAGE_DIR: original.objects }
    const killed = startCli(env, 'backup', dir)
    await until(async () => (await contentsHeld()).length > 0)
    await killed.kill()
    expect(killed.records).toEqual([])
    expect(await readdir(join(dir, 'backups'))).toContain(name)
    expect(await readdir(join(dir, 'unfinished'))).toHaveLength(1)
    const held = await contentsHeld()
    const next = (await reelgate(env, 'backup', dir)).json<BackupRecord>()
    expect(next.new_objects).toBeGreaterThan(0)
    expect(next.new_objects).toBe((await contentsOf(next)).length - held.length)
    expect(await readdir(join(dir, 'unfinished'))).toEqual([])
    for (const object of await readContentList(next)) await openPool(pool).verify(object)
  })
})
