import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readFile, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openDatabase } from '../../db/database.ts'
import type { Database } from '../../db/database.ts'
import { ContentKey, Rendition, Video } from '../../db/entities/video.ts'
import { mediaPrefix, posterKey, segmentKey, uploadName } from '../../domain/media-paths.ts'
import { checkMasterKeys } from '../../processes/open-master-keys.ts'
import { parseMasterKeys, seal } from '../../security/sealing.ts'
import { contentKeyContext } from '../../security/secret-contexts.ts'
import { createStorage } from '../../storage/object-storage.ts'
import type { ObjectStorage } from '../../storage/object-storage.ts'
import { cliHarness, startCli } from '../../test/fixtures/cli.ts'
import { openEmptyDatabase } from '../../test/fixtures/empty-database.ts'
import type { EmptyDatabase } from '../../test/fixtures/empty-database.ts'
import type { PreparedVideos } from '../../test/infrastructure/prepared-videos.ts'
import { copyPreparedVideos, s3Server } from '../../test/infrastructure/services.ts'
import type { TestBucket } from '../../test/infrastructure/services.ts'
import { until } from '../../test/infrastructure/wait-for.ts'
import { formatManifest, readManifest } from './manifest.ts'
import { readList } from './object-list.ts'
import { openPool } from './object-pool.ts'

interface BackupRecord {
  name: string
  path: string
  objects: number
  object_bytes: number
  new_objects: number
  new_bytes: number
  read_objects: number
  incomplete_videos: string[]
  removed_backups: string[]
}

interface DrillRecord {
  ok: boolean
  sealed_values: number
  segments: number
  videos: { id: string; segments: number; problem: string | null }[]
}

let folder: string
/** The folder of the backups. */
let dir: string
let original: PreparedVideos & { drop(): Promise<void> }
let db: Database
let storage: ObjectStorage
let storageDir: string
let targets: EmptyDatabase[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-backup-'))
  dir = join(folder, 'backups')
  original = await copyPreparedVideos()
  storageDir = join(folder, 'objects')
  // Not the whole folder: other tests store videos of their own beside them.
  for (const id of [original.wideId, original.tallId]) {
    const prefix = mediaPrefix(id)
    await cp(join(original.objects, prefix), join(storageDir, prefix), { recursive: true })
  }
  storage = createStorage({ driver: 'folder', dir: storageDir })
  db = await openDatabase({ url: original.url })
  // As each process does when it starts.
  await checkMasterKeys(db.em.fork(), parseMasterKeys(original.masterKey))
}, 300_000)
afterAll(async () => {
  await db.close(true)
  for (const target of targets) await target.drop()
  await original.drop()
  await rm(folder, { recursive: true, force: true })
})

const environment = () => ({
  DATABASE_URL: original.url,
  MASTER_KEY: original.masterKey,
  STORAGE_DIR: storageDir,
})
const reelgate = (env: Record<string, string>, ...args: string[]) =>
  cliHarness({ ...environment(), ...env })(...args, '--json')

async function backUp(...options: string[]): Promise<BackupRecord> {
  const { status, stdout, stderr } = await reelgate({}, 'backup', dir, ...options)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout) as BackupRecord
}

async function emptyDatabase(): Promise<string> {
  const target = await openEmptyDatabase(original.url)
  targets.push(target)
  return target.url
}

const drill = async (env: Record<string, string> = {}, from = dir) => {
  const { status, stdout, stderr } = await reelgate(env, 'restore', from, '--drill')
  const record = stdout === '' ? null : (JSON.parse(stdout) as DrillRecord)
  return { status, record, error: errorOf(stderr) }
}

const errorOf = (stderr: string) =>
  stderr === '' ? null : (JSON.parse(stderr) as { error: { code: string; message: string } }).error

const bucketEnvironment = (bucket: TestBucket) => ({
  S3_ENDPOINT: bucket.endpoint,
  S3_REGION: bucket.region,
  S3_BUCKET: bucket.bucket,
  S3_ACCESS_KEY: bucket.accessKey,
  S3_SECRET_KEY: bucket.secretKey,
})

/** Every row of every table, by table. */
async function contentsOf(database: Database): Promise<Record<string, string[]>> {
  const em = database.em.fork()
  const contents: Record<string, string[]> = {}
  for (const { tableName } of database.getMetadata().getAll().values()) {
    const rows = await em.execute<{ row: string }[]>(`select t::text as row from ${tableName} t`)
    contents[tableName] = rows.map(({ row }) => row).toSorted()
  }
  return contents
}

async function objectsOf(store: ObjectStorage): Promise<Record<string, string>> {
  const objects: Record<string, string> = {}
  for await (const { key, sizeBytes } of store.list(''))
    objects[key] = (await store.read(key, sizeBytes))?.body?.toString('base64') ?? ''
  return objects
}

describe('backup and restore', () => {
  let first: BackupRecord

  it('restores every row and every object into an empty database and another storage', async () => {
    first = await backUp()
    const [url, bucket] = [await emptyDatabase(), await s3Server()]
    const env = { ...bucketEnvironment(bucket), DATABASE_URL: url }
    const { status, stdout } = await reelgate(env, 'restore', dir)
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      name: first.name,
      videos: 2,
      objects: first.objects,
      object_bytes: first.object_bytes,
      taken_at: expect.stringMatching(/\+00:00$/),
      damaged_objects: [],
      incomplete_videos: [],
    })
    const restored = await openDatabase({ url })
    try {
      const { audit_entry: audit = [], ...tables } = await contentsOf(restored)
      const { audit_entry: before = [], ...expected } = await contentsOf(db)
      expect(tables).toEqual(expected)
      expect(audit).toHaveLength(before.length + 1)
      expect(audit.join()).toContain('installation.restore')
    } finally {
      await restored.close(true)
    }
    expect(await objectsOf(createStorage(bucket))).toEqual(await objectsOf(storage))
    expect(first.objects).toBe(Object.keys(await objectsOf(storage)).length)
  })

  it('gives no number a second time that may have been given after the backup', async () => {
    const [target] = targets
    const restored = await openDatabase({ url: target?.url ?? '' })
    try {
      const next = `select nextval(pg_get_serial_sequence('account', 'id'))::int as id`
      const [before] = await db.em.fork().execute<{ id: number }[]>(next)
      const [after] = await restored.em.fork().execute<{ id: number }[]>(next)
      expect((after?.id ?? 0) - (before?.id ?? 0)).toBeGreaterThanOrEqual(1_000_000 - 1)
    } finally {
      await restored.close(true)
    }
  })

  it('copies only what is new since the last backup', async () => {
    const poster = randomBytes(1_234)
    const key = posterKey(original.wideId, uploadName(1))
    await storage.putBuffer(key, poster, 'image/jpeg')
    const held = await poolFiles(join(dir, 'objects'))
    const second = await backUp()
    expect(second).toMatchObject({
      objects: first.objects + 1,
      new_objects: 1,
      new_bytes: 1_234,
      read_objects: 1,
    })
    expect(await poolFiles(join(dir, 'objects'))).toHaveLength(held.length + 1)
  })

  it('backs up from S3, also incrementally', async () => {
    const bucket = createStorage(await s3ServerOf())
    for (const [key, body] of Object.entries(await objectsOf(storage)))
      await bucket.putBuffer(key, Buffer.from(body, 'base64'), 'video/mp4')
    const env = s3Environment
    const copied = (await reelgate(env, 'backup', dir)).json<BackupRecord>()
    expect(copied).toMatchObject({ new_objects: 0, new_bytes: 0 })
    expect(copied.read_objects).toBe(copied.objects)
    const again = (await reelgate(env, 'backup', dir)).json<BackupRecord>()
    expect(again).toMatchObject({ new_objects: 0, read_objects: 0, objects: copied.objects })
  })
  let s3Environment: Record<string, string>
  async function s3ServerOf(): Promise<TestBucket> {
    const bucket = await s3Server()
    s3Environment = bucketEnvironment(bucket)
    return bucket
  }

  it('keeps as many backups as it should, and their contents only', async () => {
    const last = await backUp('--keep', '1')
    expect(last.removed_backups).toHaveLength(4)
    expect(await readdir(join(dir, 'backups'))).toEqual([last.name])
    const used = new Set<string>()
    for await (const { objects } of readList(join(last.path, 'objects.jsonl')))
      for (const { sha256 } of objects) used.add(sha256)
    expect((await filesIn(join(dir, 'objects'))).toSorted()).toEqual([...used].toSorted())
  })

  it('refuses a second backup while one runs', async () => {
    const runs = await Promise.all([reelgate({}, 'backup', dir), reelgate({}, 'backup', dir)])
    expect(new Set(runs.map(({ status }) => status))).toEqual(new Set([0, 1]))
    expect(errorOf(runs.map(({ stderr }) => stderr).join(''))?.code).toBe('backup_running')
  })

  it('holds no key in the clear', async () => {
    const { path } = await backUp()
    const [key] = parseMasterKeys(original.masterKey).keys.values()
    const { gunzipSync } = await import('node:zlib')
    for (const name of await filesIn(path)) {
      const raw = await readFile(join(path, name.endsWith('.gz') ? 'database' : '.', name))
      const text = name.endsWith('.gz') ? gunzipSync(raw).toString() : raw.toString()
      expect(text).not.toContain(key?.toString('hex'))
      expect(text).not.toContain(original.signingSecret)
    }
  })
})

const filesIn = async (path: string): Promise<string[]> =>
  (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

describe('restore --drill', () => {
  it('decrypts the first and last segment of every rendition, and leaves nothing', async () => {
    await backUp()
    const before = await databasesOf(db)
    const { status, record } = await drill()
    expect(status).toBe(0)
    // 240p, 360p and two audio tracks; three rungs and one.
    expect(record).toMatchObject({ ok: true, segments: 16 })
    const counts = new Map(record?.videos.map(({ id, segments }) => [id, segments]))
    expect(counts).toEqual(
      new Map([
        [original.wideId, 8],
        [original.tallId, 8],
      ]),
    )
    expect(await databasesOf(db)).toEqual(before)
  })

  it('names the video whose content key is another one', async () => {
    const em = db.em.fork()
    const masterKeys = parseMasterKeys(original.masterKey)
    const row = await em.findOneOrFail(ContentKey, { videoId: original.tallId, name: 'SD' })
    const { sealedKey } = row
    row.sealedKey = seal(masterKeys, randomBytes(16), contentKeyContext(original.tallId, 'SD'))
    await em.flush()
    try {
      await backUp()
      const { status, record, error } = await drill()
      expect(status).toBe(1)
      expect(error?.code).toBe('checks_failed')
      const problems = record?.videos.filter(({ problem }) => problem !== null)
      expect(problems).toMatchObject([
        { id: original.tallId, problem: expect.stringMatching(/^segment 1 of .*decrypt/) },
      ])
    } finally {
      row.sealedKey = sealedKey
      await em.flush()
    }
  })

  it('names the content that was altered', async () => {
    const { path } = await backUp()
    const objects = await listOf(path)
    const object = objects.find(({ key }) => key.endsWith('/init.mp4'))
    // Two audio tracks may have the same initialisation segment.
    const altered = objects.filter(({ sha256 }) => sha256 === object?.sha256)
    const file = join(dir, 'objects', object?.sha256.slice(0, 2) ?? '', object?.sha256 ?? '')
    const body = await readFile(file)
    await rm(file)
    await writeFile(file, Buffer.from(body.map((byte, index) => (index === 50 ? byte ^ 1 : byte))))
    try {
      const { status, record } = await drill()
      expect(status).toBe(1)
      expect(JSON.stringify(record)).toContain(file)
      const target = await emptyDatabase()
      const env = { DATABASE_URL: target, STORAGE_DIR: join(folder, 'damaged') }
      const refused = await reelgate(env, 'restore', dir)
      expect(errorOf(refused.stderr)).toMatchObject({
        code: 'backup_damaged',
        message: expect.stringContaining(file),
      })
      const rest = await reelgate(env, 'restore', dir, '--skip-damaged')
      const { damaged_objects: damaged } = rest.json<{ damaged_objects: string[] }>()
      expect(damaged.toSorted()).toEqual(altered.map(({ key }) => key).toSorted())
    } finally {
      await rm(file)
    }
    // The next backup copies a missing content again.
    expect(await backUp()).toMatchObject({ new_objects: 1 })
  })
})

const databasesOf = async (database: Database) =>
  database.em.fork().execute(`select datname from pg_database where datname like 'reelgate_drill%'`)

async function listOf(path: string) {
  const found: { key: string; sha256: string }[] = []
  for await (const { objects } of readList(join(path, 'objects.jsonl'))) found.push(...objects)
  return found
}

describe('a restore that cannot succeed', () => {
  const refusal = async (env: Record<string, string> = {}, ...options: string[]) => {
    const { status, stderr } = await reelgate(
      { STORAGE_DIR: join(folder, 'refused'), ...env },
      'restore',
      dir,
      ...options,
    )
    expect(status).toBe(1)
    expect(await readdir(join(folder, 'refused')).catch(() => [])).toEqual([])
    return errorOf(stderr)
  }

  it('says which master key is missing or wrong', async () => {
    const url = await emptyDatabase()
    const other = randomBytes(32).toString('hex')
    const wrong = await refusal({ DATABASE_URL: url, MASTER_KEY: other })
    expect(wrong?.code).toBe('master_key_unusable')
    expect(wrong?.message).toMatch(/version 1 is not the one that sealed \d+ values/)
    const missing = await refusal({ DATABASE_URL: url, MASTER_KEY: `2:${other}` })
    expect(missing?.message).toMatch(/\d+ values under version 1 of the master key, which is not/)
    expect((await drill({ MASTER_KEY: other })).error?.code).toBe('master_key_unusable')
  })

  it('leaves a database with rows as it is', async () => {
    expect((await refusal())?.code).toBe('database_not_empty')
  })

  it('names the backup that is not there', async () => {
    expect((await refusal({}, '--backup', '20200101T000000000Z'))?.code).toBe('backup_not_found')
  })

  it.each([
    ['the rows of a table', (path: string) => join(path, 'database', 'video.copy.gz')],
    ['the list of objects', (path: string) => join(path, 'objects.jsonl')],
    ['the manifest', (path: string) => join(path, 'manifest.json')],
  ])('names the file when %s is cut off', async (_title, fileOf) => {
    const { path } = await backUp()
    const file = fileOf(path)
    const body = await readFile(file)
    await truncate(file, body.length - 3)
    try {
      const error = await refusal({ DATABASE_URL: await emptyDatabase() })
      expect(error).toMatchObject({
        code: 'backup_damaged',
        message: expect.stringContaining(file),
      })
    } finally {
      await rm(path, { recursive: true })
    }
  })

  it('names the migration of a newer version', async () => {
    const { path } = await backUp()
    const file = join(path, 'manifest.json')
    const manifest = await readManifest(file)
    const migrations = [...manifest.migrations, 'migration-20991231000000-later']
    await writeFile(file, formatManifest({ ...manifest, migrations }))
    const error = await refusal({ DATABASE_URL: await emptyDatabase() })
    expect(error?.code).toBe('backup_newer')
    expect(error?.message).toContain('migration-20991231000000-later')
    await rm(path, { recursive: true })
  })
})

describe('a backup that is interrupted', () => {
  it('leaves the one before whole, and the next continues it', async () => {
    const before = await backUp()
    await rm(join(dir, 'objects'), { recursive: true })
    const killed = startCli(environment(), 'backup', dir)
    const pool = join(dir, 'objects')
    await until(async () => (await poolFiles(pool)).length > 3)
    await killed.kill()
    expect(killed.records).toEqual([])
    expect(await readdir(join(dir, 'backups'))).toContain(before.name)
    expect(await readdir(join(dir, 'unfinished'))).toHaveLength(1)
    const held = (await poolFiles(pool)).length
    const next = await backUp()
    expect(next.new_objects).toBeGreaterThan(0)
    expect(next.new_objects).toBeLessThanOrEqual(before.objects - held + 1)
    expect(await readdir(join(dir, 'unfinished'))).toEqual([])
    for (const object of await listOf(next.path)) await openPool(pool).verify(object)
  })

  it('names a folder that cannot be written', async () => {
    const file = join(folder, 'a-file')
    await writeFile(file, '')
    const { status, stderr } = await reelgate({}, 'backup', join(file, 'backups'))
    expect(status).toBe(1)
    expect(errorOf(stderr)?.code).toBe('backup_folder_unusable')
  })
})

const poolFiles = async (path: string): Promise<string[]> =>
  (await filesIn(path).catch(() => [])).filter((name) => /^[0-9a-f]{64}$/.test(name))

describe('a restore that is killed', () => {
  it('continues when it is run again', async () => {
    const { objects, path } = await backUp()
    const target = join(folder, 'after-a-kill')
    const env = { ...environment(), DATABASE_URL: await emptyDatabase(), STORAGE_DIR: target }
    const killed = startCli(env, 'restore', dir)
    const segments = async () =>
      (await filesIn(target).catch(() => [])).filter((name) => name.endsWith('.m4s'))
    await until(async () => (await segments()).length > 3)
    await killed.kill()
    const { status, stdout } = await reelgate(env, 'restore', dir)
    expect(status).toBe(0)
    // The segments that were restored before are not copied again.
    expect((JSON.parse(stdout) as BackupRecord).objects).toBeLessThan(objects)
    const restored = await objectsOf(createStorage({ driver: 'folder', dir: target }))
    expect(restored).toEqual(await objectsOf(storage))
    await rm(path, { recursive: true })
  })
})

describe('a video that lacks objects', () => {
  it('is named, and encodes its rendition again if it is still ingested', async () => {
    const em = db.em.fork()
    const [wide, tall] = [original.wideId, original.tallId]
    const rows = await em.find(Rendition, { videoId: { $in: [wide, tall] }, name: '240p' })
    const files = rows.map(({ videoId, facts }) => join(storageDir, segmentKey(videoId, facts, 2)))
    for (const file of files) await rename(file, join(folder, basename(dirname(file))))
    await em.nativeUpdate(Video, { id: tall }, { status: 'playable' })
    const lacking = join(folder, 'lacking')
    try {
      const { stdout } = await reelgate({}, 'backup', lacking)
      const { incomplete_videos: named } = JSON.parse(stdout) as BackupRecord
      expect(named).toEqual([wide, tall].toSorted())
      const { record } = await drill({}, lacking)
      const problems = record?.videos.filter(({ problem }) => problem !== null)
      expect(problems).toMatchObject([{ id: wide, problem: expect.stringContaining('segments') }])
      const env = { DATABASE_URL: await emptyDatabase(), STORAGE_DIR: join(folder, 'lacking-too') }
      const run = await reelgate(env, 'restore', lacking)
      expect(JSON.parse(run.stdout)).toMatchObject({
        incomplete_videos: [wide],
        repeated_videos: [tall],
      })
      const restored = await openDatabase({ url: env.DATABASE_URL })
      try {
        const left = await restored.em.fork().find(Rendition, { name: '240p' })
        expect(left.map(({ videoId }) => videoId)).toEqual([wide])
      } finally {
        await restored.close(true)
      }
    } finally {
      await em.nativeUpdate(Video, { id: tall }, { status: 'ready' })
      for (const file of files) await rename(join(folder, basename(dirname(file))), file)
    }
  })
})

describe('what is removed while a backup is made', () => {
  it('a video that was deleted after the snapshot is deleted again by the restore', async () => {
    const { path } = await backUp()
    const file = join(path, 'manifest.json')
    const manifest = await readManifest(file)
    await writeFile(file, formatManifest({ ...manifest, deleted_videos: [original.tallId] }))
    const url = await emptyDatabase()
    const env = { DATABASE_URL: url, STORAGE_DIR: join(folder, 'with-deletion') }
    const record = (await reelgate(env, 'restore', dir)).json<{ deleted_videos: string[] }>()
    expect(record.deleted_videos).toEqual([original.tallId])
    const restored = await openDatabase({ url })
    try {
      const em = restored.em.fork()
      expect((await em.findOneOrFail(Video, { id: original.tallId })).deletedAt).not.toBeNull()
      expect(await em.count(ContentKey, { videoId: original.tallId })).toBe(0)
    } finally {
      await restored.close(true)
    }
    await rm(path, { recursive: true })
  })
})
