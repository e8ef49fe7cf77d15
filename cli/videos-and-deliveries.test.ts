import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../commands/accounts/create-account.ts'
import { transitionVideo } from '../commands/videos/transition-video.ts'
import { openDatabase, type Database } from '../db/database.ts'
import { WebhookAttempt, WebhookEndpoint } from '../db/entities/event.ts'
import { Rendition, Video } from '../db/entities/video.ts'
import { putProgress } from '../db/ingest/write-ingest-progress.ts'
import type { Rendition as RenditionFacts } from '../domain/videos/rendition.ts'
import { parseMasterKeys, seal } from '../security/sealing/sealing.ts'
import { endpointSecretContext } from '../security/sealing/secret-contexts.ts'
import { cliHarness, type Cli } from '../test/fixtures/cli.ts'
import { createTestDatabase, type TestDatabase } from '../test/infrastructure/services.ts'
import { FIRST_WIDE_ID } from '../test/infrastructure/wide-ids.ts'

const MASTER_KEY = randomBytes(32).toString('hex')
const VIDEO = 'aaaaaaaaaaaaaaaaaaaa'
const DELETED = 'bbbbbbbbbbbbbbbbbbbb'
let testDatabase: TestDatabase
let database: Database
let reelgate: Cli
let account: number
let other: number

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = await openDatabase({ url: testDatabase.url })
  reelgate = cliHarness({
    DATABASE_URL: testDatabase.url,
    MASTER_KEY,
    EMBED_BASE_URL: 'https://player.example/',
  })
  const keys = parseMasterKeys(MASTER_KEY)
  const em = database.em.fork()
  account = await createAccount(em, keys, { name: 'Anna', protection: 'clearkey' })
  other = await createAccount(em, keys, { name: 'Bob', protection: 'clearkey' })
  await em.insert(WebhookEndpoint, {
    accountId: account,
    url: 'https://hooks.example/',
    events: ['video.created'],
    sealedSecret: seal(keys, 'whsec_x', endpointSecretContext(account)),
  })
  await insertVideo(VIDEO, account, null)
  await insertVideo(DELETED, other, new Date())
  await transitionVideo(em, VIDEO, 'processing')
  await em.insert(Rendition, { videoId: VIDEO, name: '720p', facts: RENDITION })
  const loudness = { integratedLufs: -23.5, truePeakDbtp: -9, gainDb: 7.5 }
  const audio = { ...RENDITION, kind: 'audio', loudness } as const
  await em.insert(Rendition, { videoId: VIDEO, name: 'audio-0', facts: audio })
  await em.insert(WebhookAttempt, {
    deliveryId: FIRST_WIDE_ID,
    number: 1,
    startedAt: new Date(),
    durationMs: 120,
    responseStatus: 503,
    timings: {},
  })
})

afterAll(async () => {
  await database.close(true)
  await testDatabase.drop()
})

const insertVideo = (id: string, accountId: number, deletedAt: Date | null) =>
  database.em.fork().insert(Video, {
    id,
    accountId,
    title: 'Bunny\u001b[31m',
    sourceUrl: 'https://files.example/private/lesson.mp4?signature=very-secret',
    protection: 'clearkey',
    deletedAt,
  })

const RENDITION: RenditionFacts = {
  kind: 'video',
  name: '720p',
  trackType: 'HD',
  codecs: 'avc1.64001f',
  width: 1280,
  height: 720,
  frameRate: '30/1',
  language: null,
  label: null,
  channels: null,
  sampleRate: null,
  bandwidthBps: 2_500_000,
  averageBandwidthBps: 2_000_000,
  timescale: 15_360,
  segments: [{ durationTicks: 61_440, sizeBytes: 1_000_000 }],
  durationMs: 4000,
  sizeBytes: 1_000_900,
}

describe('videos list', () => {
  it('lists videos that were not deleted, filtered by account and status', async () => {
    const ids = async (...args: string[]) =>
      (await reelgate('videos', 'list', '--json', ...args))
        .json<{ id: string }[]>()
        .map(({ id }) => id)
    expect(await ids()).toEqual([VIDEO])
    expect(await ids('--account', String(account), '--status', 'processing')).toEqual([VIDEO])
    expect(await ids('--account', String(other))).toEqual([])
    expect(await ids('--status', 'ready')).toEqual([])
  })

  it('finds videos of an account by external id, tags, metadata and words, in an order', async () => {
    const em = database.em.fork()
    const third = await createAccount(em, parseMasterKeys(MASTER_KEY), {
      name: 'Carl',
      protection: 'clearkey',
    })
    const sourceUrl = 'https://files.example/'
    const more = { accountId: third, sourceUrl, protection: 'clearkey' } as const
    const [a, b] = ['e'.repeat(20), 'f'.repeat(20)]
    await em.insert(Video, {
      ...more,
      id: a,
      title: 'Night train',
      externalId: 'x',
      tags: ['lab', 'new'],
      metadata: { course: '7', term: 'a=b' },
    })
    await em.insert(Video, { ...more, id: b, title: 'Day', tags: ['Lab'] })
    const ids = async (...args: string[]) =>
      (await reelgate('videos', 'list', '--json', '--account', String(third), ...args))
        .json<{ id: string }[]>()
        .map(({ id }) => id)
    expect(await ids('--external-id', 'x')).toEqual([a])
    expect((await ids('--tag', 'lab')).toSorted()).toEqual([a, b])
    expect(await ids('--tag', 'lab', 'NEW')).toEqual([a])
    expect(await ids('--metadata', 'course=7', '--metadata', 'term=a=b')).toEqual([a])
    expect(await ids('--metadata', 'course=8')).toEqual([])
    expect(await ids('--title', 'train')).toEqual([a])
    expect(await ids('--sort', 'title')).toEqual([b, a])
    expect(await ids('--sort', '-title', '--limit', '1')).toEqual([a])
    const without = await reelgate('videos', 'list', '--tag', 'lab')
    expect(without).toMatchObject({ status: 2, stdout: '' })
    expect(without.stderr).toContain('--account')
    expect((await reelgate('videos', 'list', '--metadata', 'course')).status).toBe(2)
  })

  it('replaces control characters in titles', async () => {
    const { stdout } = await reelgate('videos', 'list')
    expect(stdout).toContain('Bunny')
    expect(stdout).not.toContain('\u001b')
  })

  it('ends with 2 for an unknown status', async () => {
    expect((await reelgate('videos', 'list', '--status', 'done')).status).toBe(2)
  })
})

describe('videos show', () => {
  it('shows a video with its renditions, embed link and workflow, and only the host of its source link', async () => {
    await putProgress(database.em.fork(), { videoId: VIDEO, names: ['1080p'], fraction: 0.5 })
    // Each waits for Temporal, which does not run.
    const show = ['videos', 'show', VIDEO]
    const [run, text] = await Promise.all([reelgate(...show, '--json'), reelgate(...show)])
    expect(run.json()).toMatchObject({
      id: VIDEO,
      status: 'processing',
      source_host: 'files.example',
      duration: null,
      error: null,
      embed_url: expect.stringMatching(`^https://player.example/${VIDEO}/`),
      workflow_id: `video-${VIDEO}`,
      renditions: [
        { name: '720p', bandwidth_bps: 2_500_000, segments: 1, loudness: null },
        { name: 'audio-0', loudness: { integrated_lufs: -23.5, true_peak_dbtp: -9, gain_db: 7.5 } },
      ],
      progress: {
        percent: 71,
        seconds_left: null,
        renditions: [
          { name: '720p', percent: 100 },
          { name: '1080p', percent: 50 },
          { name: 'audio-0', percent: 100 },
        ],
      },
    })
    expect(text.stdout).toMatch(/^progress +71 %, 720p 100 %, 1080p 50 %, audio-0 100 %$/m)
    expect(text.stdout).toMatch(/-23.5 LUFS, peak -9 dBTP, played 7.5 dB louder$/m)
    expect(text.stdout).toMatch(/^720p +avc1.64001f, 2500/m)
    for (const { stdout } of [run, text]) expect(stdout).not.toMatch(/secret|private/)
  })

  it('ends with 1 for an unknown video', async () => {
    const run = await reelgate('videos', 'show', 'cccccccccccccccccccc')
    expect(run.status).toBe(1)
    expect(run.stderr).toContain('There is no video cccccccccccccccccccc.')
  })
})

describe('deliveries list', () => {
  it('lists deliveries with their attempts', async () => {
    const list = ['deliveries', 'list', '--account', String(account), '--status', 'pending']
    expect((await reelgate(...list, '--json')).json()).toEqual([
      expect.objectContaining({
        id: FIRST_WIDE_ID,
        event_type: 'video.created',
        status: 'pending',
        attempts: [
          expect.objectContaining({ number: 1, trigger: 'schedule', response_status: 503 }),
        ],
      }),
    ])
    expect((await reelgate(...list)).stdout).toMatch(/video\.created +pending +503/)
  })

  it('reports that there are no deliveries', async () => {
    const run = await reelgate('deliveries', 'list', '--status', 'failed')
    expect(run).toMatchObject({ status: 0, stdout: 'No webhook deliveries.' })
  })
})
