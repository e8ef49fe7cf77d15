import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../commands/accounts/create-account.ts'
import { openDatabase, type Database } from '../db/database.ts'
import { AuditEntry } from '../db/entities/member.ts'
import { Video } from '../db/entities/video.ts'
import { originalKey, sourceKey } from '../domain/videos/media-paths.ts'
import { parseMasterKeys } from '../security/sealing/sealing.ts'
import { createStorage, type ObjectStorage } from '../storage/object-storage.ts'
import { cliHarness, type Cli } from '../test/fixtures/cli.ts'
import { putSource } from '../test/fixtures/stored-source.ts'
import { createTestDatabase, type TestDatabase } from '../test/infrastructure/services.ts'

const MASTER_KEY = randomBytes(32).toString('hex')
const masterKeys = parseMasterKeys(MASTER_KEY)
const ORIGINAL = randomBytes(2_500_000)
let folder: string
let testDatabase: TestDatabase
let db: Database
let storage: ObjectStorage
let reelgate: Cli
let accountId: number
let path: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-original-'))
  testDatabase = await createTestDatabase()
  db = await openDatabase({ url: testDatabase.url })
  const dir = join(folder, 'objects')
  storage = createStorage({ driver: 'folder', dir })
  reelgate = cliHarness({ DATABASE_URL: testDatabase.url, MASTER_KEY, STORAGE_DIR: dir })
  accountId = await createAccount(db.em.fork(), masterKeys, { name: 'A', protection: 'clearkey' })
  path = join(folder, 'lesson.mp4')
  await writeFile(path, ORIGINAL)
})
afterAll(async () => {
  await db.close(true)
  await testDatabase.drop()
  await rm(folder, { recursive: true })
})

async function addVideo(more: Partial<Video> = {}): Promise<string> {
  const id = randomBytes(10).toString('hex')
  const row = { title: 'A', sourceUrl: 'https://source.test/', protection: 'clearkey' } as const
  const kept = { keepOriginal: true, status: 'ready' } as const
  await db.em.fork().insert(Video, { id, accountId, ...row, ...kept, ...more })
  return id
}

/** A video whose source is stored while it is processed, and whose status then changes. */
async function addEncrypted(more: Partial<Video> = {}): Promise<string> {
  const id = await addVideo({ status: 'processing' })
  await putSource({ db, masterKeys, storage }, id, path)
  await db.em.fork().nativeUpdate(Video, { id }, { status: 'ready', ...more })
  return id
}

const fileFor = (id: string): string => join(folder, `${id}.mp4`)
const run = (id: string, output = fileFor(id)) =>
  reelgate('videos', 'original', id, '--output', output, '--json')

describe('videos original', () => {
  it('writes the original decrypted, and an entry of the audit log', async () => {
    const id = await addEncrypted()
    const { status, stdout } = await run(id)
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ id, file: fileFor(id), size_bytes: ORIGINAL.length })
    expect((await readFile(fileFor(id))).equals(ORIGINAL)).toBe(true)
    const entries = await db.em.fork().find(AuditEntry, { subject: id })
    expect(entries).toMatchObject([
      { accountId, action: 'video.export_original', actorKind: 'operator' },
    ])
  })

  it.each([
    ['kept before sources were encrypted', originalKey],
    ['of an ingest that ran while sources began to be encrypted', sourceKey],
  ])('writes an original %s', async (_title, keyOf) => {
    const id = await addVideo()
    await storage.putFile(keyOf(id), path, 'video/mp4')
    expect((await run(id)).status).toBe(0)
    expect((await readFile(fileFor(id))).equals(ORIGINAL)).toBe(true)
  })

  it('writes nothing of an original that was altered', async () => {
    const id = await addEncrypted()
    const body = (await storage.read(sourceKey(id), 1e8))?.body ?? Buffer.alloc(0)
    body[body.length - 20] = (body[body.length - 20] ?? 0) ^ 1
    await storage.putBuffer(sourceKey(id), Buffer.from(body), 'video/mp4')
    const before = await readdir(folder)
    const { status, stderr } = await run(id)
    expect(status).toBe(1)
    expect(stderr).toContain('does not open')
    expect(await readdir(folder)).toEqual(before)
  })

  it('refuses a video without an original, a deleted one, and a file that exists', async () => {
    const code = async (id: string, output?: string) =>
      (JSON.parse((await run(id, output)).stderr) as { error: { code: string } }).error.code
    expect(await code(await addEncrypted({ keepOriginal: false }))).toBe('original_not_kept')
    expect(await code(await addEncrypted({ status: 'playable' }))).toBe('original_not_kept')
    expect(await code(await addVideo())).toBe('original_not_kept')
    expect(await code(await addEncrypted({ deletedAt: new Date() }))).toBe('video_not_found')
    expect(await code('a-video')).toBe('video_not_found')
    expect(await code(await addEncrypted(), path)).toBe('invalid_request')
    expect((await readFile(path)).equals(ORIGINAL)).toBe(true)
  })
})
