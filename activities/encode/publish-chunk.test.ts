import { stat } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase, type Database, type EntityManager } from '../../db/database.ts'
import { RenditionChunk, Video } from '../../db/entities/video.ts'
import { countChunks, findChunks } from '../../db/ingest/rendition-chunks.ts'
import { lockVideo } from '../../db/videos/videos.ts'
import type { ChunkPlan } from '../../domain/encoding/chunks.ts'
import type { EncodingPlan } from '../../domain/ingest/ingest.ts'
import {
  mediaPrefix,
  parsePartKey,
  sourceKey,
  tilesPrefix,
} from '../../domain/videos/media-paths.ts'
import { publishFailures } from '../../metrics/ingest.ts'
import type { ObjectStorage } from '../../storage/object-storage.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { H264, picture, setUpMediaFixture } from '../../test/fixtures/media-files.ts'
import { putSource } from '../../test/fixtures/stored-source.ts'
import { countedSince } from '../../test/infrastructure/counted.ts'
import { someOf } from '../../test/infrastructure/every-case.ts'
import { followAlert } from '../../test/infrastructure/follow-alert.ts'
import { linesOfFailure } from '../../test/infrastructure/logged-activity.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { withDeps, type ActivityDeps } from '../deps.ts'
import { createIngestActivities } from '../ingest/ingest-activities.ts'
import { createEncodeActivities } from './encode-activities.ts'
import { forgetChunks } from './forget-chunks.ts'

const RUNG = '240p'
const media = setUpMediaFixture()
let fixture: IngestFixture
let source: string
let input: { videoId: string; accountId: number }
let plan: EncodingPlan
let chunks: ChunkPlan
/** The databases of two workers. */
let workers: [Database, Database]

beforeAll(async () => {
  fixture = await openIngestFixture()
  const open = () => openDatabase({ url: fixture.databaseUrl, poolSize: 2 })
  workers = await Promise.all([open(), open()])
  source = await media.make('film.mp4', ...picture('320x240', 5, 8), ...H264)
})
afterAll(async () => {
  await Promise.all(workers.map((db) => db.close(true)))
  await fixture.close()
})
beforeEach(async () => {
  input = await fixture.addVideo()
  await putSource(fixture.deps, input.videoId, source)
  const { prepareEncoding } = createIngestActivities({ ...fixture.deps, chunkSeconds: 4 })
  plan = await runActivity(prepareEncoding, input)
  if (plan.chunks?.count !== 2) throw new Error('the video has two chunks')
  chunks = plan.chunks
})

/** Encodes and publishes a chunk of the first rung, as a worker with this database does. */
function encode(
  index: number,
  db: Database = workers[0],
  by: ChunkPlan = chunks,
  storage: ObjectStorage = fixture.deps.storage,
): Promise<void> {
  const deps: ActivityDeps = { ...fixture.deps, db, storage }
  return runActivity(createEncodeActivities(deps).encodeChunk, workOf(index, by))
}

function workOf(index: number, by: ChunkPlan = chunks) {
  const { audio: _, ...facts } = plan.facts
  const rungs = plan.rungs.filter(({ name }) => name === RUNG)
  return { ...input, rungs, picture: facts, audioNames: [], plan: by, index, isFirst: true }
}

const planned = (count = 2) => ({ videoId: input.videoId, name: RUNG, count })
const recorded = () => findChunks(fixture.deps.db.em.fork(), planned())

/** The attempts that have objects, of the video's first rung. */
async function storedTokens(): Promise<Set<string>> {
  const keys = (await fixture.objects()).filter((key) => key.startsWith(mediaPrefix(input.videoId)))
  const tokens = keys
    .map(parsePartKey)
    .flatMap((part) => (part?.rendition === RUNG ? [part.token] : []))
  return new Set(tokens)
}

const endVideo = (change: Partial<Video>, em: EntityManager = fixture.deps.db.em.fork()) =>
  em.nativeUpdate(Video, { id: input.videoId }, change)

const WAITING = `select pid from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`
const waiting = () => fixture.deps.db.em.fork().execute<{ pid: number }[]>(WAITING)

/** Lets no attempt record its chunk until `count` of them wait for that and `run` has run. */
const whileWaiting = (count: number, run: (em: EntityManager) => Promise<void>): Promise<void> =>
  fixture.deps.db.em.fork().transactional(async (em) => {
    await lockVideo(em, input.accountId, input.videoId)
    await waitFor('the attempts that record', async () => (await waiting()).length === count)
    await run(em)
  })

describe('a chunk', () => {
  it('that two attempts make at the same time is exactly one of them, and the other leaves no object', async () => {
    const attempts = workers.map((db) => encode(1, db))
    await whileWaiting(2, async () => expect((await storedTokens()).size).toBe(2))
    await Promise.all(attempts)
    const [chunk] = await recorded()
    expect(await storedTokens()).toEqual(new Set([chunk?.token]))
    expect(await fixture.renditions(input.videoId)).toEqual([])
  })

  it('that cannot be stored has a line with the error of the storage', async () => {
    const { storage } = fixture.deps
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    const putFile: ObjectStorage['putFile'] = (key, path, type, onProgress) =>
      type === 'video/mp4' ? Promise.reject(full) : storage.putFile(key, path, type, onProgress)
    const deps = { ...fixture.deps, storage: { ...storage, putFile } }
    const failures = await countedSince(publishFailures)
    const info = { activityType: 'encodeChunk', workflowId: `video-${input.videoId}` }
    const { encodeChunk } = createEncodeActivities(deps)
    const worker = await linesOfFailure({ ...info, taskQueue: 'encode' }, encodeChunk, workOf(1))
    expect(await failures()).toEqual({ '': 1 })
    for (const found of [
      await followAlert('ReelgatePublishFailures', { worker }),
      await followAlert('ReelgateEncodeBacklogOld', { worker }),
    ])
      expect(JSON.parse(found)).toMatchObject({ ...info, error: { type: 'ENOSPC' } })
  })

  it('whose worker dies between upload and record is made again, and is not mixed with what was left', async () => {
    const failures = await countedSince(publishFailures)
    // A dead worker removes nothing.
    const deletePrefix = () => Promise.reject(new Error('dead'))
    const attempt = expect(
      encode(0, workers[0], chunks, { ...fixture.deps.storage, deletePrefix }),
    ).rejects.toThrow()
    await whileWaiting(1, async () => {
      for (const { pid } of await waiting())
        await fixture.deps.db.em.fork().execute('select pg_terminate_backend(?)', [pid])
      await attempt
    })
    const left = await storedTokens()
    expect(left.size).toBe(1)
    expect(await recorded()).toEqual([])
    for (const index of [0, 1]) await encode(index)
    expect(await failures()).toEqual({ '': 1 })
    const [rendition] = await fixture.renditions(input.videoId)
    const used = rendition?.facts.parts?.map(({ token }) => token) ?? []
    expect(used).toHaveLength(2)
    for (const token of left) expect(used).not.toContain(token)
    expect(await storedTokens()).toEqual(new Set([...used, ...left]))
  })

  const ends = [
    ['deleted', { deletedAt: new Date() }],
    ['ready', { status: 'ready' }],
  ] as const
  const gone = { type: 'video_gone', nonRetryable: true }

  it.each(ends)('that is recorded after its video is %s leaves no object', async (_title, end) => {
    const attempt = expect(encode(1)).rejects.toMatchObject(gone)
    await whileWaiting(1, async (em) => {
      expect((await storedTokens()).size).toBe(1)
      await endVideo(end, em)
    })
    await attempt
    expect(await storedTokens()).toEqual(new Set())
  })

  it.each(someOf(ends, 2))(
    'whose pictures of the storyboard are stored after its video is %s leaves none of them',
    async (_title, end) => {
      const { storage } = fixture.deps
      const slow: ObjectStorage = {
        ...storage,
        async putFile(key, ...file) {
          await storage.putFile(key, ...file)
          if (key.startsWith(tilesPrefix(input.videoId))) await endVideo(end)
        },
      }
      await expect(encode(0, workers[0], chunks, slow)).rejects.toMatchObject(gone)
      const mine = (await fixture.objects()).filter((key) => key.includes(input.videoId))
      expect(mine).toEqual([sourceKey(input.videoId)])
    },
  )

  it('publishes its rung once if it is the last one, also when two are recorded at the same time', async () => {
    const attempts = workers.map((db, index) => encode(index, db))
    await whileWaiting(2, async () => expect(await recorded()).toEqual([]))
    await Promise.all(attempts)
    const [rendition] = await fixture.renditions(input.videoId)
    expect(rendition?.facts).toMatchObject({ durationMs: 8_000, parts: [{}, {}] })
    expect((await fixture.video(input.videoId)).status).toBe('playable')
    const used = rendition?.facts.parts?.map(({ token }) => token)
    expect(await storedTokens()).toEqual(new Set(used))
    expect(await countChunks(fixture.deps.db.em.fork(), planned())).toBe(0)
    // The bytes of a chunk count once, before and after its rung is published.
    const { sizeBytes = 0 } = rendition?.facts ?? {}
    const { reservedBytes } = await fixture.video(input.videoId)
    expect(reservedBytes).toBe(Math.max(sizeBytes, (await stat(source)).size))
  })

  it('that does not fit is not published: the video is encoded whole, which a late attempt cannot cut short', async () => {
    await encode(0)
    const [facts] = await recorded()
    if (!facts) throw new Error('the chunk is recorded')
    const change = { facts: { ...facts, initHash: 'another' } }
    await fixture.deps.db.em.fork().nativeUpdate(RenditionChunk, { ...planned(), index: 0 }, change)
    const failure = { type: 'chunk_not_exact', nonRetryable: true }
    await expect(encode(1)).rejects.toMatchObject(failure)
    expect(await fixture.renditions(input.videoId)).toEqual([])
    await runActivity(withDeps(fixture.deps, forgetChunks), input)
    // A late attempt of the plan that was given up, before and after the whole video is published.
    await encode(0)
    await encode(0, workers[1], { ...chunks, count: 1 })
    await encode(1)
    const [rendition] = await fixture.renditions(input.videoId)
    expect(rendition?.facts).toMatchObject({ durationMs: 8_000, parts: [{ firstSegment: 1 }] })
    expect(await countChunks(fixture.deps.db.em.fork(), planned())).toBe(0)
  })
})
