import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type Database } from '../../db/database.ts'
import { ContentKey, Rendition, Video } from '../../db/entities/video.ts'
import { mediaPrefix, segmentKey } from '../../domain/videos/media-paths.ts'
import { checkMasterKeys } from '../../processes/open-master-keys.ts'
import { parseMasterKeys, seal } from '../../security/sealing/sealing.ts'
import { contentKeyContext } from '../../security/sealing/secret-contexts.ts'
import { cliHarness } from '../../test/fixtures/cli.ts'
import type { PreparedVideos } from '../../test/infrastructure/prepared-videos.ts'
import {
  copyPreparedVideos,
  createTestDatabase,
  type TestDatabase,
} from '../../test/infrastructure/services.ts'
import { readList } from './object-list.ts'

interface BackupRecord {
  path: string
  new_objects: number
  incomplete_videos: string[]
}

interface DrillRecord {
  ok: boolean
  segments: number
  videos: { id: string; segments: number; problem: string | null }[]
}

let folder: string
/** The folder of the backups. */
let dir: string
let original: PreparedVideos & { drop(): Promise<void> }
let db: Database
let storageDir: string
const targets: TestDatabase[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-drill-test-'))
  dir = join(folder, 'backups')
  original = await copyPreparedVideos()
  storageDir = join(folder, 'objects')
  db = await openDatabase({ url: original.url })
  // A rung and an audio track of each video are enough: what a drill decrypts takes time.
  const filter = (path: string) => !/\/(360|480)p$/.test(path)
  await db.em.fork().nativeDelete(Rendition, { name: { $in: ['360p', '480p', 'audio-1'] } })
  for (const prefix of [mediaPrefix(original.wideId), mediaPrefix(original.tallId)])
    await cp(join(original.objects, prefix), join(storageDir, prefix), { recursive: true, filter })
  // As each process does when it starts.
  await checkMasterKeys(db.em.fork(), parseMasterKeys(original.masterKey))
}, 300_000)
afterAll(async () => {
  await db.close(true)
  for (const target of targets) await target.drop()
  await original.drop()
  await rm(folder, { recursive: true, force: true })
})

const reelgate = (env: Record<string, string>, ...args: string[]) => {
  const { url, masterKey } = original
  const own = { DATABASE_URL: url, MASTER_KEY: masterKey, STORAGE_DIR: storageDir }
  return cliHarness({ ...own, ...env })(...args, '--json')
}

const backUp = async (): Promise<BackupRecord> =>
  (await reelgate({}, 'backup', dir)).json<BackupRecord>()

/** A database with the newest schema and without rows, into which a restore is quicker. */
async function openTarget(): Promise<string> {
  const target = await createTestDatabase()
  targets.push(target)
  return target.url
}

async function drill(env: Record<string, string> = {}) {
  const { status, stdout, stderr } = await reelgate(env, 'restore', dir, '--drill')
  const record = stdout === '' ? null : (JSON.parse(stdout) as DrillRecord)
  const problems = record?.videos.filter(({ problem }) => problem !== null)
  return { status, record, problems, error: parseError(stderr) }
}

const parseError = (stderr: string) =>
  stderr === '' ? null : (JSON.parse(stderr) as { error: { code: string; message: string } }).error

const drillDatabases = async () =>
  db.em.fork().execute(`select datname from pg_database where datname like 'reelgate_drill%'`)

async function readContentList({ path }: BackupRecord) {
  const found: { key: string; sha256: string }[] = []
  for await (const { objects } of readList(join(path, 'objects.jsonl'))) found.push(...objects)
  return found
}

describe('restore --drill', () => {
  beforeAll(backUp)

  it('decrypts the first and last segment of every rendition, and leaves nothing', async () => {
    const before = await drillDatabases()
    const { status, record } = await drill()
    expect(status).toBe(0)
    expect(record).toMatchObject({ ok: true, segments: 8 })
    const counts = new Map(record?.videos.map(({ id, segments }) => [id, segments]))
    expect(counts).toEqual(
      new Map([
        [original.wideId, 4],
        [original.tallId, 4],
      ]),
    )
    expect(await drillDatabases()).toEqual(before)
  })

  it('says that the master key is another one', async () => {
    const { error } = await drill({ MASTER_KEY: randomBytes(32).toString('hex') })
    expect(error?.code).toBe('master_key_unusable')
  })
})

describe('restore --drill of a backup with two damaged videos', () => {
  let drilled: Awaited<ReturnType<typeof drill>>
  /** The altered content, and the keys of the objects that have it. */
  let file: string
  let altered: string[]

  beforeAll(async () => {
    const objects = await readContentList(await backUpWithOtherKey())
    const prefix = `${mediaPrefix(original.wideId)}audio-0`
    const init = objects.find(({ key }) => key.startsWith(prefix) && key.endsWith('/init.mp4'))
    const { sha256 = '' } = init ?? {}
    // Two audio tracks may have the same initialisation segment.
    altered = objects.filter((object) => object.sha256 === sha256).map(({ key }) => key)
    file = join(dir, 'objects', sha256.slice(0, 2), sha256)
    const body = await readFile(file)
    await rm(file)
    await writeFile(file, Buffer.from(body.map((byte, index) => (index === 50 ? byte ^ 1 : byte))))
    drilled = await drill()
  })

  /** Makes a backup in which the content key of the video's picture is not the one that encrypted it. */
  async function backUpWithOtherKey(): Promise<BackupRecord> {
    const em = db.em.fork()
    const masterKeys = parseMasterKeys(original.masterKey)
    const row = await em.findOneOrFail(ContentKey, { videoId: original.tallId, name: 'SD' })
    const { sealedKey } = row
    row.sealedKey = seal(masterKeys, randomBytes(16), contentKeyContext(original.tallId, 'SD'))
    await em.flush()
    try {
      return await backUp()
    } finally {
      row.sealedKey = sealedKey
      await em.flush()
    }
  }

  const problemOf = (videoId: string) => drilled.problems?.find(({ id }) => id === videoId)?.problem

  it('names the video whose content key is another one', () => {
    expect(drilled.status).toBe(1)
    expect(drilled.error?.code).toBe('checks_failed')
    expect(problemOf(original.tallId)).toMatch(/^segment 1 of .*decrypt/)
  })

  it('names the content that was altered', async () => {
    expect(problemOf(original.wideId)).toContain(file)
    const [refused, rest] = await Promise.all([
      reelgate(
        { DATABASE_URL: await openTarget(), STORAGE_DIR: join(folder, 'refused') },
        'restore',
        dir,
      ),
      reelgate(
        { DATABASE_URL: await openTarget(), STORAGE_DIR: join(folder, 'restored') },
        'restore',
        dir,
        '--skip-damaged',
      ),
    ])
    expect(parseError(refused.stderr)).toMatchObject({
      code: 'backup_damaged',
      message: expect.stringContaining(file),
    })
    const { damaged_objects: damaged } = rest.json<{ damaged_objects: string[] }>()
    expect(damaged.toSorted()).toEqual(altered.toSorted())
    await rm(file)
    // The next backup copies a missing content again.
    expect(await backUp()).toMatchObject({ new_objects: 1 })
  })
})

describe('a video that lacks objects', () => {
  it('is named, and encodes its rendition again if it is still ingested', async () => {
    const em = db.em.fork()
    const [wide, tall] = [original.wideId, original.tallId]
    const rows = await em.find(Rendition, { videoId: { $in: [wide, tall] }, name: '240p' })
    const files = rows.map(({ videoId, facts }) => join(storageDir, segmentKey(videoId, facts, 2)))
    for (const file of files) await rm(file)
    await em.nativeUpdate(Video, { id: tall }, { status: 'playable' })
    expect((await backUp()).incomplete_videos).toEqual([wide, tall].toSorted())
    // The storage of the restore above, so that few objects are copied.
    const env = { DATABASE_URL: await openTarget(), STORAGE_DIR: join(folder, 'restored') }
    const [{ problems }, run] = await Promise.all([drill(), reelgate(env, 'restore', dir)])
    expect(problems).toMatchObject([{ id: wide, problem: expect.stringContaining('segments') }])
    expect(JSON.parse(run.stdout)).toMatchObject({
      incomplete_videos: [wide],
      repeated_videos: [tall],
    })
    const restored = await openDatabase({ url: env.DATABASE_URL })
    const left = await restored.em.fork().find(Rendition, { name: '240p' })
    await restored.close(true)
    expect(left.map(({ videoId }) => videoId)).toEqual([wide])
  })
})
