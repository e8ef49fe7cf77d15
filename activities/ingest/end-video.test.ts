import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteVideo } from '../../commands/videos/delete-video.ts'
import { transitionVideo } from '../../commands/videos/transition-video.ts'
import type { EncodeNextChunkInput, EncodingPlan } from '../../domain/ingest/ingest.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { H264, picture, setUpMediaFixture, tone } from '../../test/fixtures/media-files.ts'
import { putSource } from '../../test/fixtures/stored-source.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { withDeps, type ActivityDeps } from '../deps.ts'
import { createEncodeActivities } from '../encode/encode-activities.ts'
import { createIngestActivities } from './ingest-activities.ts'
import { removeVideo } from './remove-video.ts'

const media = setUpMediaFixture()
let fixture: IngestFixture
let deps: ActivityDeps
/** Of three chunks, and of one. */
let sources: { long: string; short: string }
let input: { videoId: string; accountId: number }
let plan: EncodingPlan

beforeAll(async () => {
  fixture = await openIngestFixture()
  deps = { ...fixture.deps, chunkSeconds: 4 }
  const make = (name: string, seconds: number) =>
    media.make(name, ...picture('320x240', 5, seconds), ...tone(seconds), ...H264)
  sources = { long: await make('long.mp4', 12), short: await make('short.mp4', 3) }
})
afterAll(() => fixture.close())

async function prepare(source: string): Promise<void> {
  input = await fixture.addVideo()
  await putSource(deps, input.videoId, source)
  plan = await runActivity(createIngestActivities(deps).prepareEncoding, input)
}

function ticket(number: number): EncodeNextChunkInput {
  const { audio: _, ...facts } = plan.facts
  if (!plan.chunks) throw new Error('the video has chunks')
  const group = { picture: facts, rungs: plan.rungs.slice(0, 1), isFirst: true, audioNames: [] }
  return { ...input, ...group, plan: plan.chunks, followsPlayheads: true, ticket: number }
}

const TABLES =
  'rendition rendition_chunk growing_film chunk_claim later_chunk_claim ingest_progress content_key key_request source_key'.split(
    ' ',
  )

/** The tables that have rows of the video. */
async function tablesLeft(): Promise<string[]> {
  const left: string[] = []
  for (const table of TABLES) {
    const sql = `select 1 from ${table} where video_id = ?`
    if ((await deps.db.em.fork().execute<unknown[]>(sql, [input.videoId])).length > 0)
      left.push(table)
  }
  return left
}
const objectsLeft = async (): Promise<string[]> =>
  (await fixture.objects()).filter((key) => key.includes(input.videoId))

const FAILURE = { code: 'source_damaged', message: 'The file is damaged.' }
const fail = (by: ActivityDeps = deps): Promise<boolean> =>
  runActivity(createIngestActivities(by).failVideo, { ...input, ...FAILURE })

describe('a video that grows', () => {
  beforeEach(() => prepare(sources.long))

  it('has its outline and a recorded first chunk, whose progress names it', async () => {
    const [outline] = await deps.db.em
      .fork()
      .execute<unknown[]>('select outline from growing_film where video_id = ?', [input.videoId])
    expect(outline).toEqual({
      outline: {
        durationMs: 12_000,
        frameRate: '5/1',
        rung: '240p',
        audio: ['audio-0'],
        hasSoundPieces: true,
        chunks: plan.chunks,
      },
    })
    await runActivity(createEncodeActivities(deps).encodeNextChunk, ticket(2))
    const rows = (table: string, columns: string) =>
      deps.db.em
        .fork()
        .execute(`select ${columns} from ${table} where video_id = ?`, [input.videoId])
    expect(await rows('chunk_claim', 'ticket, index')).toEqual([{ ticket: 2, index: 0 }])
    expect(await rows('rendition_chunk', 'name, index')).toEqual([{ name: '240p', index: 0 }])
    expect(await rows('ingest_progress', 'name, part, parts, fraction')).toContainEqual({
      name: '240p',
      part: 0,
      parts: 3,
      fraction: 1,
    })
  })

  it('is published by as many tickets as chunks, in any order, each run twice, and has no claims once it is ready', async () => {
    const { encodeNextChunk } = createEncodeActivities(deps)
    for (const number of [2, 0, 2, 1, 0]) await runActivity(encodeNextChunk, ticket(number))
    const [rendition] = await fixture.renditions(input.videoId)
    expect(rendition?.facts).toMatchObject({
      name: '240p',
      durationMs: 12_000,
      parts: [{}, {}, {}],
    })
    expect(await tablesLeft()).toContain('chunk_claim')
    const { finishVideo } = createIngestActivities(deps)
    await runActivity(finishVideo, { ...input, facts: plan.facts })
    expect((await fixture.video(input.videoId)).status).toBe('ready')
    expect(await tablesLeft()).not.toContain('chunk_claim')
  })

  it('leaves nothing that can be watched when its video fails in the middle, and no key', async () => {
    const { encodeNextChunk, encodeAudio } = createEncodeActivities(deps)
    await runActivity(encodeNextChunk, ticket(0))
    const [track] = plan.audio
    if (!track) throw new Error('the video has audio')
    const names = { facts: plan.facts, audioNames: [track.name] }
    await runActivity(encodeAudio, { ...input, ...names, track })
    expect(await tablesLeft()).toEqual(expect.arrayContaining(['content_key', 'rendition_chunk']))
    // The storage is away: the keys are gone before the objects.
    const storage = { ...deps.storage, deletePrefix: () => Promise.reject(new Error('it is away')) }
    await expect(fail({ ...deps, storage })).rejects.toThrow('it is away')
    expect(await tablesLeft()).toEqual([])
    expect((await objectsLeft()).length).toBeGreaterThan(0)
    for (let run = 0; run < 2; run += 1) expect(await fail()).toBe(true)
    expect(await objectsLeft()).toEqual([])
    expect(await fixture.video(input.videoId)).toMatchObject({
      status: 'failed',
      errorCode: FAILURE.code,
      reservedBytes: 0,
    })
    expect(
      (await fixture.events(input.videoId)).filter((type) => type === 'video.failed'),
    ).toHaveLength(1)
  })

  it('gets no keys and no chunks from activities that end later', async () => {
    await fail()
    const { encodeNextChunk } = createEncodeActivities(deps)
    const { prepareEncoding } = createIngestActivities(deps)
    const gone = { type: 'video_gone', nonRetryable: true }
    await expect(runActivity(encodeNextChunk, ticket(0))).rejects.toMatchObject(gone)
    await expect(runActivity(prepareEncoding, input)).rejects.toMatchObject(gone)
    expect(await tablesLeft()).toEqual([])
  })

  it('is removed, and does not fail, when it was deleted: the deletion cancels its workflow', async () => {
    const { encodeNextChunk } = createEncodeActivities(deps)
    await runActivity(encodeNextChunk, ticket(0))
    await deps.db.em
      .fork()
      .execute(`update video set deleted_at = now() where id = ?`, [input.videoId])
    expect(await fail()).toBe(false)
    expect(await objectsLeft()).toEqual([])
    expect(await fixture.events(input.videoId)).not.toContain('video.failed')
  })

  it('keeps its keys when it became ready before a late failure', async () => {
    await deps.db.em
      .fork()
      .execute(`update video set status = 'ready' where id = ?`, [input.videoId])
    expect(await fail()).toBe(false)
    expect(await tablesLeft()).toContain('content_key')
    expect((await fixture.video(input.videoId)).status).toBe('ready')
  })
})

describe('a video whose record was restored from before its workflow', () => {
  beforeEach(() => prepare(sources.long))
  const gone = { type: 'video_gone', nonRetryable: true }

  it('keeps its source, of which an upload has no other copy, and begins again', async () => {
    const { cleanUpVideo, prepareEncoding } = createIngestActivities(deps)
    const { encodeNextChunk } = createEncodeActivities(deps)
    const before = [await objectsLeft(), await tablesLeft()]
    await deps.db.em
      .fork()
      .execute(`update video set status = 'queued' where id = ?`, [input.videoId])
    await expect(runActivity(encodeNextChunk, ticket(0))).rejects.toMatchObject(gone)
    // As its workflow does then.
    await runActivity(cleanUpVideo, input)
    expect([await objectsLeft(), await tablesLeft()]).toEqual(before)
    expect(await runActivity(prepareEncoding, input)).toEqual(plan)
    expect((await fixture.video(input.videoId)).status).toBe('processing')
  })

  it('is not ready without a rendition that its workflow has made', async () => {
    const { finishVideo } = createIngestActivities(deps)
    const { encodeNextChunk, encodeAudio } = createEncodeActivities(deps)
    for (const number of [0, 1, 2]) await runActivity(encodeNextChunk, ticket(number))
    const { facts, audio } = plan
    const audioNames = audio.map(({ name }) => name)
    const renditions = ['240p', ...audioNames]
    const finish = () => runActivity(finishVideo, { ...input, facts, renditions })
    const before = await objectsLeft()
    await expect(finish()).rejects.toMatchObject(gone)
    expect(await objectsLeft()).toEqual(before)
    expect((await fixture.video(input.videoId)).status).toBe('playable')
    for (const track of audio)
      await runActivity(encodeAudio, { ...input, facts, audioNames, track })
    await finish()
    expect((await fixture.video(input.videoId)).status).toBe('ready')
  })
})

it('begins by one of two attempts that run at the same time', async () => {
  input = await fixture.addVideo()
  await putSource(deps, input.videoId, sources.short)
  const { db } = deps
  const isLockAwaited = async () => {
    const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await db.em.fork().execute<unknown[]>(sql)).length > 0
  }
  const { outcome } = await db.em.fork().transactional(async (tx) => {
    // The commit of the first attempt takes long, and its worker was killed.
    await transitionVideo(tx, input.videoId, 'processing')
    const outcome = runActivity(createIngestActivities(deps).prepareEncoding, input)
    await waitFor('the second attempt', isLockAwaited)
    return { outcome }
  })
  expect(await outcome).toMatchObject({ chunks: { count: 1 } })
  expect(await fixture.events(input.videoId)).toEqual(['video.created'])
})

describe('a video of one chunk', () => {
  beforeEach(() => prepare(sources.short))

  it.each([false, true])(
    'keeps no picture of a finish that ends after its deletion, which fails itself: %s',
    async (isAway) => {
      const { encodeNextChunk } = createEncodeActivities(deps)
      await runActivity(encodeNextChunk, ticket(0))
      const { storage, db } = deps
      let isDeleted = false
      const putFile: ActivityDeps['storage']['putFile'] = async (key, ...file) => {
        if (!isDeleted) {
          isDeleted = true
          await deleteVideo(db.em.fork(), input.accountId, input.videoId)
          await runActivity(withDeps(deps, removeVideo), input)
        }
        if (isAway && key.endsWith('.vtt')) throw new Error('it is away')
        await storage.putFile(key, ...file)
      }
      const late = createIngestActivities({ ...deps, storage: { ...storage, putFile } })
      const finishing = runActivity(late.finishVideo, { ...input, facts: plan.facts })
      await expect(finishing).rejects.toMatchObject({ type: 'video_gone' })
      expect(await objectsLeft()).toEqual([])
    },
  )
})
