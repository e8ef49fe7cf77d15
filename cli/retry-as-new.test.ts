import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../commands/accounts/create-account.ts'
import { retryVideoAsNew } from '../commands/videos/retry-video-as-new.ts'
import { openDatabase, type Database } from '../db/database.ts'
import { Caption, Chapter, Moment } from '../db/entities/annotation.ts'
import { Folder, Video } from '../db/entities/video.ts'
import { findImportOf } from '../db/imports/video-imports.ts'
import { parseMasterKeys } from '../security/sealing/sealing.ts'
import { cliHarness, type Cli } from '../test/fixtures/cli.ts'
import { openOutsideHost, type OutsideHost } from '../test/infrastructure/outside-host.ts'
import { createTestDatabase, type TestDatabase } from '../test/infrastructure/services.ts'

const MASTER_KEY = randomBytes(32).toString('hex')
const SOURCE_BYTES = 5_000
let folder: string
let outside: OutsideHost
let testDatabase: TestDatabase
let database: Database
let reelgate: Cli
let accountId: number

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-retry-'))
  const path = join(folder, 'lesson.mp4')
  await writeFile(path, Buffer.alloc(SOURCE_BYTES))
  ;[outside, testDatabase] = await Promise.all([
    openOutsideHost(folder, { 'lesson.mp4': path }),
    createTestDatabase(),
  ])
  database = await openDatabase({ url: testDatabase.url })
  const keys = parseMasterKeys(MASTER_KEY)
  const account = { name: 'Anna', protection: 'clearkey' } as const
  accountId = await createAccount(database.em.fork(), keys, account)
  reelgate = cliHarness({
    DATABASE_URL: testDatabase.url,
    MASTER_KEY,
    EGRESS_CA_FILE: outside.caFile,
    EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8',
  })
})

afterAll(async () => {
  await database.close(true)
  await Promise.all([testDatabase.drop(), outside.close()])
  await rm(folder, { recursive: true, force: true })
})

const em = () => database.em.fork()

async function addVideo(more: Partial<Video> = {}): Promise<string> {
  const id = randomBytes(10).toString('hex')
  const sourceUrl = `${outside.baseUrl}/files/lesson.mp4?signature=5ec7e7`
  const row = { title: 'Opening night', sourceUrl, protection: 'clearkey', status: 'failed' }
  await em().insert(Video, { id, accountId, ...row, errorCode: 'internal_error', ...more } as Video)
  return id
}

const countVideos = () => em().count(Video)

describe('videos retry-as-new', () => {
  it('creates a new video with the data of the failed one, and requests its ingest', async () => {
    const folderId: number = await em().insert(Folder, { accountId, name: 'Theatre' })
    const id = await addVideo({ description: 'Act one', folderId })
    const caption = { languageCode: 'pt-BR', label: 'Português', content: 'WEBVTT\n', sizeBytes: 7 }
    const chapter = { title: 'Overture', startSeconds: 0, endSeconds: 10 }
    const moment = { label: 'Curtain', timestampSeconds: 3 }
    await em().insert(Caption, { videoId: id, ...caption } as Caption)
    await em().insert(Chapter, { videoId: id, ...chapter } as Chapter)
    await em().insert(Moment, { videoId: id, ...moment } as Moment)

    const run = await reelgate('videos', 'retry-as-new', id, '--json')
    const made = run.json<{ id: string }>()
    expect(made).toMatchObject({ object: 'video', status: 'queued', retry_of: id, error: null })
    expect(run.stdout).not.toContain('5ec7e7')

    const [before, after] = await Promise.all(
      [id, made.id].map((one) => em().findOneOrFail(Video, { id: one })),
    )
    for (const field of ['accountId', 'title', 'description', 'folderId', 'sourceUrl'] as const)
      expect(after?.[field]).toBe(before?.[field])
    expect(after).toMatchObject({ status: 'queued', reservedBytes: SOURCE_BYTES, errorCode: null })
    expect(before?.status).toBe('failed')

    const of = { videoId: made.id }
    expect(await em().find(Caption, of, { populate: ['content'] })).toMatchObject([caption])
    expect(await em().find(Chapter, of)).toMatchObject([chapter])
    expect(await em().find(Moment, of)).toMatchObject([moment])
    expect(
      await em().execute('select command from outbox where subject_id = ?', [made.id]),
    ).toEqual([{ command: 'ingest-video' }])
    expect(
      await em().execute(`select type from event where body::jsonb -> 'data' ->> 'id' = ?`, [
        made.id,
      ]),
    ).toEqual([{ type: 'caption.ready' }])
  })

  it('takes what the failed video has once its link is checked, so that two retries move an external id once', async () => {
    const id = await addVideo({ externalId: 'own-1' })
    const sourceUrl = `${outside.baseUrl}/files/lesson.mp4`
    const link = { accountId, sourceUrl, sizeBytes: 5, hasDrmProvider: false }
    const retrying = em()
    const failed = await retrying.findOneOrFail(Video, { id })
    const first = await retryVideoAsNew(em(), failed, link)
    await em().execute(`update video set title = 'Second night' where id = ?`, [id])
    const second = await retryVideoAsNew(retrying, failed, link)
    expect(first).toMatchObject({ externalId: 'own-1', title: 'Opening night' })
    expect(second).toMatchObject({ externalId: null, title: 'Second night' })
  })

  it('keeps the checksum that an import names', async () => {
    const id = await addVideo()
    await em().execute(
      `with made as (insert into video_import (account_id, at_once, line_count) values (?, 1, 1) returning id)
       insert into video_import_line (import_id, number, account_id, state, source_url, facts, sha256, video_id)
       select id, 1, ?, 'failed', '', '{}', ?, ? from made`,
      [accountId, accountId, 'a'.repeat(64), id],
    )
    const made = (await reelgate('videos', 'retry-as-new', id, '--json')).json<{ id: string }>()
    expect(await findImportOf(em(), made.id)).toMatchObject({ sha256: 'a'.repeat(64) })
  })

  it('prints the new id as text', async () => {
    const run = await reelgate('videos', 'retry-as-new', await addVideo())
    expect(run).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^The new video is [0-9a-f]{20}\.$/),
    })
  })

  it('creates nothing if no such failed video exists or its link is bad', async () => {
    const cases: [string, RegExp][] = [
      ['cccccccccccccccccccc', /There is no video c/],
      [await addVideo({ status: 'playable' }), /is playable: only a failed video/],
      [await addVideo({ deletedAt: new Date(), sourceUrl: '' }), /was deleted/],
      [
        await addVideo({ sourceUrl: `${outside.baseUrl}/files/gone.mp4` }),
        /"code":"source_unreachable".*status 404/,
      ],
      [await addVideo({ sourceUrl: 'https://10.0.0.1/lesson.mp4' }), /"code":"source_not_allowed"/],
      [await addVideo({ sourceUrl: 's3://lessons/1.mp4' }), /"code":"source_in_bucket"/],
    ]
    const before = await countVideos()
    const check = async ([id, message]: [string, RegExp]) => {
      const run = await reelgate('videos', 'retry-as-new', id, '--json')
      expect(run.status).toBe(1)
      expect(run.stderr).toMatch(message)
    }
    await Promise.all(cases.map(check))
    expect(await countVideos()).toBe(before)
  }, 60_000)

  it('creates nothing if the copies of the captions do not fit in the storage', async () => {
    const id = await addVideo()
    const caption = { languageCode: 'en', label: 'English', content: 'WEBVTT\n', sizeBytes: 3_000 }
    await em().insert(Caption, { videoId: id, ...caption } as Caption)
    const before = await countVideos()
    const [storage] = await em().execute<{ bytes: number }[]>(
      `select (select sum(size_bytes + reserved_bytes) from video where deleted_at is null)
        + (select sum(size_bytes) from caption) as bytes`,
    )
    const limit = (bytes: number | null) =>
      em().execute(`update plan set storage_limit_bytes = ${bytes}`)
    await limit(Number(storage?.bytes) + SOURCE_BYTES + 2_999)
    const refused = await reelgate('videos', 'retry-as-new', id, '--json')
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining('"code":"insufficient_storage"'),
    ])
    expect(await countVideos()).toBe(before)
    await limit(Number(storage?.bytes) + SOURCE_BYTES + 3_000)
    expect((await reelgate('videos', 'retry-as-new', id)).status).toBe(0)
    await limit(null)
  })

  it('says that a DRM provider is missing before it sends a request to the link', async () => {
    const keys = parseMasterKeys(MASTER_KEY)
    const account = { name: 'Ben', protection: 'multi-drm' } as const
    const id = await addVideo({
      accountId: await createAccount(database.em.fork(), keys, account),
      sourceUrl: `${outside.baseUrl}/files/gone.mp4`,
    })
    const { status, stderr } = await reelgate('videos', 'retry-as-new', id, '--json')
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('"code":"drm_provider_not_configured"'),
    ])
  })

  it('creates nothing if the plan has ended or lacks storage', async () => {
    const id = await addVideo()
    const before = await countVideos()
    await em().execute('update plan set storage_limit_bytes = 1')
    const full = await reelgate('videos', 'retry-as-new', id)
    await em().execute('update plan set storage_limit_bytes = null, is_active = false')
    const ended = await reelgate('videos', 'retry-as-new', id)
    await em().execute('update plan set is_active = true')
    expect([full.status, ended.status]).toEqual([1, 1])
    expect(full.stderr).toContain('The file has 5000 bytes')
    expect(ended.stderr).toContain('no active plan')
    expect(await countVideos()).toBe(before)
  })
})
