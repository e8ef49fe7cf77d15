import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type Database } from '../../db/database.ts'
import { ContentKey, Rendition, Video } from '../../db/entities/video.ts'
import { mediaPrefix } from '../../domain/videos/media-paths.ts'
import { checkMasterKeys } from '../../processes/open-master-keys.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { createStorage, type ObjectStorage } from '../../storage/object-storage.ts'
import { cliHarness, startCli } from '../../test/fixtures/cli.ts'
import { openEmptyDatabase, type EmptyDatabase } from '../../test/fixtures/empty-database.ts'
import { insertRow } from '../../test/fixtures/insert-row.ts'
import type { PreparedVideos } from '../../test/infrastructure/prepared-videos.ts'
import {
  copyPreparedVideos,
  createTestDatabase,
  s3Server,
  type TestDatabase,
} from '../../test/infrastructure/services.ts'
import { until } from '../../test/infrastructure/wait-for.ts'
import { formatManifest, readManifest, type Manifest } from './manifest.ts'

let folder: string
/** The folder of the backup. */
let dir: string
let backup: { name: string; path: string; objects: number; object_bytes: number }
let original: PreparedVideos & { drop(): Promise<void> }
let db: Database
let storage: ObjectStorage
/** Without any table. */
let empty: EmptyDatabase
/** With the newest schema and without rows, into which a restore is quicker. */
let migrated: TestDatabase[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-restore-'))
  dir = join(folder, 'backups')
  original = await copyPreparedVideos()
  const storageDir = join(folder, 'objects')
  // One rung of each video is enough, and each object takes time.
  const filter = (path: string) => !/\/(360|480)p$/.test(path)
  for (const prefix of [mediaPrefix(original.wideId), mediaPrefix(original.tallId)])
    await cp(join(original.objects, prefix), join(storageDir, prefix), { recursive: true, filter })
  storage = createStorage({ driver: 'folder', dir: storageDir })
  db = await openDatabase({ url: original.url })
  await db.em.fork().nativeDelete(Rendition, { name: { $in: ['360p', '480p'] } })
  // As each process does when it starts.
  await checkMasterKeys(db.em.fork(), parseMasterKeys(original.masterKey))
  await db.em.fork().execute(REPLAYED_DELIVERY)
  await insertLibrary(original.wideId)
  backup = (await reelgate({ STORAGE_DIR: storageDir }, 'backup', dir)).json()
  empty = await openEmptyDatabase(original.url)
  migrated = [await createTestDatabase(), await createTestDatabase()]
}, 300_000)
afterAll(async () => {
  await db.close(true)
  for (const database of [empty, ...migrated, original]) await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** A row whose insertion counts it: a restore inserts it too, and must not count it again. */
const REPLAYED_DELIVERY = `
  with endpoint as (
    insert into webhook_endpoint (account_id, url, events, sealed_secret)
    select id, 'https://hooks.example.com/', '{}', 'sealed' from account limit 1 returning id, account_id
  ), replay as (
    insert into webhook_replay (account_id, since, until, status, event_count)
    select account_id, now() - interval '1 hour', now(), 'failed', 1 from endpoint returning id
  )
  insert into webhook_delivery (account_id, endpoint_id, event_id, event_type, replay_id)
  select e.account_id, e.id, v.id, v.type, r.id
  from endpoint e, replay r, (select id, type from event limit 1) v`

/** Rows of a video that is sought, of an import and of a member. Their triggers have already run when a restore inserts them. */
async function insertLibrary(videoId: string): Promise<void> {
  const execute = <T>(sql: string, values: unknown[] = []): Promise<T[]> =>
    db.em.fork().execute<T[]>(sql, values)
  const insert = (table: string, row: Record<string, unknown>) => insertRow({ execute }, table, row)
  const [video] = await execute<{ account_id: number }>(
    `update video set external_id = 'lesson-1', tags = '{Night}', metadata = '{"course":"7"}' where id = ? returning account_id`,
    [videoId],
  )
  const account_id = video?.account_id
  const caption = { video_id: videoId, language_code: 'eo' }
  await insert('caption', { ...caption, label: 'Esperanto', content: 'WEBVTT', size_bytes: 6 })
  const passage = {
    ...caption,
    number: 0,
    account_id,
    language: 'eo',
    cues: '[]',
    words: "'nokto'",
  }
  await insert('caption_passage', passage)
  const import_id = await insert('video_import', { account_id, at_once: 1, line_count: 1 })
  const line = { import_id, number: 1, account_id, source_url: '', facts: '{}' }
  await insert('video_import_line', line)
  const member_id = await insert('member', { email: 'owner@site.example', password_hash: '' })
  await insert('membership', { account_id, member_id, role: 'owner' })
  await insert('saved_view', { account_id, member_id, name: 'Drafts', search: '{}' })
}

/** Tables whose rows `insertLibrary` and its triggers make. */
const LIBRARY_TABLES = [
  'caption_change',
  'caption_passage',
  'saved_view',
  'video_import',
  'video_import_line',
  'video_term',
]

const reelgate = (env: Record<string, string>, ...args: string[]) =>
  cliHarness({ ...environment(), ...env })(...args, '--json')
const environment = () => ({ DATABASE_URL: original.url, MASTER_KEY: original.masterKey })

const parseError = (stderr: string) =>
  stderr === '' ? null : (JSON.parse(stderr) as { error: { code: string; message: string } }).error

/** Runs `work` with the database at `url`. */
async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ url })
  try {
    return await work(database)
  } finally {
    await database.close(true)
  }
}

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

/** The partitions with their limits, and when each by id got its first one, to the millisecond. */
interface Partition {
  name: string
  bound: string
  reloptions: string[] | null
  opened_at: Date | null
}

const partitionsOf = (database: Database) =>
  database.em.fork().execute<Partition[]>(
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound, c.reloptions,
       date_trunc('milliseconds', p.opened_at) as opened_at
     from pg_inherits i join pg_class c on c.oid = i.inhrelid left join id_partition p on p.name = c.relname
     where c.relkind = 'r' and i.inhparent in (select oid from pg_class where relkind = 'p')`,
  )

describe('a restore that cannot succeed', () => {
  /** Runs a restore, by default into the database without tables, which it leaves so for the next. */
  const refusal = async (env: Record<string, string> = {}, ...options: string[]) => {
    const storageDir = join(folder, 'refused')
    const target = { STORAGE_DIR: storageDir, DATABASE_URL: empty.url }
    const { status, stderr } = await reelgate({ ...target, ...env }, 'restore', dir, ...options)
    expect(status).toBe(1)
    expect(await readdir(storageDir).catch(() => [])).toEqual([])
    return parseError(stderr)
  }

  it('says which master key is missing or wrong', async () => {
    const other = randomBytes(32).toString('hex')
    const wrong = await refusal({ MASTER_KEY: other })
    expect(wrong?.code).toBe('master_key_unusable')
    expect(wrong?.message).toMatch(/version 1 is not the one that sealed \d+ values/)
    const missing = await refusal({ MASTER_KEY: `2:${other}` })
    expect(missing?.message).toMatch(/\d+ values under version 1 of the master key, which is not/)
  })

  it('leaves a database with rows as it is', async () => {
    // That its rows stay, the comparison with those of the backup shows below.
    expect((await refusal({ DATABASE_URL: original.url }))?.code).toBe('database_not_empty')
  })

  it('names the backup that is not there', async () => {
    expect((await refusal({}, '--backup', '20200101T000000000Z'))?.code).toBe('backup_not_found')
  })

  it.each([
    ['the rows of a table', (path: string) => join(path, 'database', 'video.copy.gz')],
    ['the list of objects', (path: string) => join(path, 'objects.jsonl')],
    ['the manifest', (path: string) => join(path, 'manifest.json')],
  ])('names the file when %s is cut off', async (_title, fileOf) => {
    const file = fileOf(backup.path)
    const body = await readFile(file)
    await truncate(file, body.length - 3)
    try {
      expect(await refusal()).toMatchObject({
        code: 'backup_damaged',
        message: expect.stringContaining(file),
      })
    } finally {
      await writeFile(file, body)
    }
  })

  it('names the migration of a newer version', async () => {
    const later = 'migration-20991231000000-later'
    const { migrations } = await readManifest(join(backup.path, 'manifest.json'))
    const error = await withManifest({ migrations: [...migrations, later] }, () => refusal())
    expect(error?.code).toBe('backup_newer')
    expect(error?.message).toContain(later)
  })
})

/** Runs `work` while the manifest of the backup is another one. */
async function withManifest<T>(change: Partial<Manifest>, work: () => Promise<T>): Promise<T> {
  const file = join(backup.path, 'manifest.json')
  const manifest = await readManifest(file)
  await writeFile(file, formatManifest({ ...manifest, ...change }))
  try {
    return await work()
  } finally {
    await writeFile(file, formatManifest(manifest))
  }
}

describe('backup and restore', () => {
  it('restores every row, partition and object into an empty database and another storage', async () => {
    const bucket = await s3Server()
    const env = {
      DATABASE_URL: empty.url,
      S3_ENDPOINT: bucket.endpoint,
      S3_REGION: bucket.region,
      S3_BUCKET: bucket.bucket,
      S3_ACCESS_KEY: bucket.accessKey,
      S3_SECRET_KEY: bucket.secretKey,
    }
    const { status, stdout } = await reelgate(env, 'restore', dir)
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      name: backup.name,
      videos: 2,
      objects: backup.objects,
      object_bytes: backup.object_bytes,
      taken_at: expect.stringMatching(/\+00:00$/),
      damaged_objects: [],
      incomplete_videos: [],
    })
    const { audit_entry: audit = [], ...tables } = await withDatabase(empty.url, contentsOf)
    const { audit_entry: before = [], ...expected } = await contentsOf(db)
    expect(tables).toEqual(expected)
    for (const table of LIBRARY_TABLES)
      expect([table, tables[table]?.length]).not.toEqual([table, 0])
    const partitions = await partitionsOf(db)
    expect(partitions.length).toBeGreaterThan(10)
    const restored = await withDatabase(empty.url, partitionsOf)
    // A restore moves the sequences on, and so may open a partition that had no row.
    const shapeOf = (one: Partition, like: Partition) =>
      like.opened_at === null ? { ...one, opened_at: null } : one
    const isRestored = (one: Partition) =>
      restored.some((other) => isDeepStrictEqual(shapeOf(other, one), one))
    expect(partitions.filter((one) => !isRestored(one))).toEqual([])
    // The original has an entry of the backup, which came after its snapshot.
    expect(audit).toHaveLength(before.length)
    expect(before.join()).toContain('installation.backup')
    expect(audit.join()).toContain('installation.restore')
    const objects = await objectsOf(storage)
    expect(await objectsOf(createStorage(bucket))).toEqual(objects)
    expect(backup.objects).toBe(Object.keys(objects).length)
  })

  it('gives no number a second time that may have been given after the backup', async () => {
    const next = async (database: Database): Promise<number> => {
      const sql = `select nextval(pg_get_serial_sequence('account', 'id'))::int as id`
      const [row] = await database.em.fork().execute<{ id: number }[]>(sql)
      return row?.id ?? 0
    }
    const [before, after] = [await next(db), await withDatabase(empty.url, next)]
    expect(after - before).toBeGreaterThanOrEqual(1_000_000 - 1)
  })
})

describe('a restore of objects alone', () => {
  it('brings back what the storage lost for the videos that the database still has, and lists what it cannot', async () => {
    const storageDir = join(folder, 'lost')
    const target = { STORAGE_DIR: storageDir }
    const { deletedId, keptIds } = await withDatabase(original.url, async (database) => {
      const em = database.em.fork()
      const rows = await em.execute<{ id: string }[]>(
        'select id from video where deleted_at is null order by id',
      )
      const [first = { id: '' }, ...others] = rows
      await em.execute('update video set deleted_at = now() where id = ?', [first.id])
      return { deletedId: first.id, keptIds: others.map(({ id }) => id) }
    })
    try {
      const run = await reelgate(target, 'restore', dir, '--objects')
      expect(run).toMatchObject({ status: 0, stderr: '' })
      const keys = Object.keys(
        await objectsOf(createStorage({ driver: 'folder', dir: storageDir })),
      )
      expect(keys.some((key) => key.includes(deletedId))).toBe(false)
      expect(keys.some((key) => keptIds.some((id) => key.includes(id)))).toBe(true)
      const again = await reelgate(target, 'restore', dir, '--objects')
      expect(again.json()).toMatchObject({ objects: 0, damaged_objects: [] })
    } finally {
      await withDatabase(original.url, (database) =>
        database.em.fork().execute('update video set deleted_at = null where id = ?', [deletedId]),
      )
    }
  })
})

describe('a restore that is killed', () => {
  it('continues when it is run again', async () => {
    const target = join(folder, 'restored')
    const env = { ...environment(), DATABASE_URL: migrated[0]?.url ?? '', STORAGE_DIR: target }
    const killed = startCli(env, 'restore', dir)
    const segments = async () =>
      (await readdir(target, { recursive: true }).catch(() => [])).filter((name) =>
        /^videos.*\.m4s$/.test(name),
      )
    await until(async () => (await segments()).length > 0)
    await killed.kill()
    expect(killed.records).toEqual([])
    const { objects } = (await reelgate(env, 'restore', dir)).json<{ objects: number }>()
    // The segments that were restored before are not copied again.
    expect(objects).toBeLessThan(backup.objects)
    const restored = await objectsOf(createStorage({ driver: 'folder', dir: target }))
    expect(restored).toEqual(await objectsOf(storage))
  })
})

describe('what is removed while a backup is made', () => {
  it('a video that was deleted after the snapshot is deleted again by the restore', async () => {
    const url = migrated[1]?.url ?? ''
    // The storage of the restore above, so that no object is copied again.
    const env = { DATABASE_URL: url, STORAGE_DIR: join(folder, 'restored') }
    const run = await withManifest({ deleted_videos: [original.tallId] }, () =>
      reelgate(env, 'restore', dir),
    )
    expect(run.json<{ deleted_videos: string[] }>().deleted_videos).toEqual([original.tallId])
    await withDatabase(url, async (restored) => {
      const em = restored.em.fork()
      expect((await em.findOneOrFail(Video, { id: original.tallId })).deletedAt).not.toBeNull()
      expect(await em.count(ContentKey, { videoId: original.tallId })).toBe(0)
    })
  })
})
