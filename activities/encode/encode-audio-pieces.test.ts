import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findGrowingVideo } from '../../db/ingest/growing-videos.ts'
import { findChunks } from '../../db/ingest/rendition-chunks.ts'
import { deleteClaims } from '../../db/ingest/write-growing-videos.ts'
import type { EncodeNextPartInput, EncodingPlan } from '../../domain/ingest/ingest.ts'
import { readyRanges } from '../../domain/playback/growing-video.ts'
import { mediaPrefix, parsePartKey } from '../../domain/videos/media-paths.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { H264, picture, setUpMediaFixture } from '../../test/fixtures/media-files.ts'
import { playRendition } from '../../test/fixtures/play-rendition.ts'
import { putSource } from '../../test/fixtures/stored-source.ts'
import { someOf } from '../../test/infrastructure/every-case.ts'
import type { ActivityDeps } from '../deps.ts'
import { createIngestActivities } from '../ingest/ingest-activities.ts'
import { createEncodeActivities } from './encode-activities.ts'

const TRACK = 'audio-0'
const SECONDS = 16
/** Of four seconds. */
const COUNT = 4

const media = setUpMediaFixture()
let fixture: IngestFixture
let deps: ActivityDeps

beforeAll(async () => {
  fixture = await openIngestFixture()
  deps = { ...fixture.deps, chunkSeconds: 4 }
})
afterAll(() => fixture.close())

const em = () => fixture.deps.db.em.fork()

interface Ingest {
  videoId: string
  accountId: number
  plan: EncodingPlan
}

/** Prepares a video whose audio lasts for `audioSeconds` from `startSeconds` on. */
async function prepare(audioSeconds = SECONDS, startSeconds = 0): Promise<Ingest> {
  const sound = ['-f', 'lavfi', '-i', `anoisesrc=r=44100:a=0.1:d=${audioSeconds}`]
  const late = ['-itsoffset', String(startSeconds), ...sound, '-c:a', 'aac', '-ac', '2']
  const path = await media.make(
    `${randomUUID()}.mp4`,
    ...picture('64x64', 10, SECONDS),
    ...late,
    ...H264,
  )
  const input = await fixture.addVideo()
  await putSource(deps, input.videoId, path)
  return { ...input, plan: await runActivity(createIngestActivities(deps).prepareEncoding, input) }
}

/** Encodes what a ticket gets, by a worker with these dependencies. */
function encode({ plan, ...input }: Ingest, ticket: number, by = deps): Promise<void> {
  const { chunks, facts, audio, rungs } = plan
  if (!chunks) throw new Error('the plan has no chunks')
  const { audio: sources, ...picture } = facts
  const group = { picture, rungs: rungs.slice(0, 1), isFirst: true, plan: chunks }
  const sound = { audio: sources, tracks: audio }
  const part: EncodeNextPartInput = { ...input, ...group, audioNames: [TRACK], sound, ticket }
  return runActivity(createEncodeActivities(by).encodeNextPart, part)
}

const watch = ({ videoId }: Ingest, index: number) =>
  em().execute('insert into playhead (video_id, index) values (?, ?)', [videoId, index])

const recorded = async ({ videoId }: Ingest, name: string): Promise<string[]> =>
  (await findChunks(em(), { videoId, name, count: COUNT })).map(({ token }) => token)

async function ready({ videoId }: Ingest): Promise<number[][]> {
  const video = (await findGrowingVideo(em(), videoId))?.tracks
  return video ? readyRanges(video).map(({ startMs, endMs }) => [startMs, endMs]) : []
}

async function published({ videoId }: Ingest) {
  const rows = await fixture.renditions(videoId)
  const facts = rows.find(({ name }) => name === TRACK)?.facts
  if (!facts) throw new Error('the track is not published')
  return facts
}

/** A worker that dies, or has no storage, when it stores audio. */
const withoutAudio = (): ActivityDeps => ({
  ...deps,
  storage: {
    ...deps.storage,
    putFile: (key, ...file) =>
      key.includes(`/${TRACK}/`)
        ? Promise.reject(new Error('the storage is away'))
        : deps.storage.putFile(key, ...file),
  },
})

describe('the audio of a video that grows', () => {
  it('comes with each chunk of the picture, wherever viewers are, and outlives its worker', async () => {
    const video = await prepare()
    expect(video.plan).toMatchObject({ hasSoundPieces: true, chunks: { count: COUNT } })
    await encode(video, 0)
    expect(await ready(video)).toEqual([[0, 4_000]])
    await watch(video, 3)
    await encode(video, 1)
    expect(await ready(video)).toEqual([
      [0, 4_000],
      [12_000, 16_000],
    ])
    const before = await recorded(video, TRACK)
    // The worker has stored the picture of the next chunk, not its audio.
    await expect(encode(video, 2, withoutAudio())).rejects.toThrow()
    const [rung = ''] = video.plan.rungs.map(({ name }) => name)
    const pictures = await recorded(video, rung)
    expect(pictures).toHaveLength(3)
    // A later run of the ingest knows no claims.
    await deleteClaims(em(), video.videoId)
    for (const ticket of [0, 1, 2, 3]) await encode(video, ticket)
    const facts = await published(video)
    const used = facts.parts?.map(({ token }) => token) ?? []
    expect(used).toEqual(expect.arrayContaining(before))
    const parts = (await fixture.renditions(video.videoId)).flatMap((one) => one.facts.parts ?? [])
    expect(parts.map(({ token }) => token)).toEqual(expect.arrayContaining(pictures))
    expect((await fixture.video(video.videoId)).status).toBe('playable')
    expect(facts.durationMs / 1000).toBeCloseTo(SECONDS, 1)
    expect(facts.loudness).toMatchObject({ integratedLufs: expect.any(Number), gainDb: 0 })
    expect(facts.segments).toHaveLength(Math.ceil(facts.durationMs / 4_000))
    const objects = await fixture.objects()
    const stored = objects.filter((key) => key.startsWith(`${mediaPrefix(video.videoId)}${TRACK}/`))
    expect(new Set(stored.map((key) => parsePartKey(key)?.token))).toEqual(new Set(used))
    const times = await playRendition(deps, video.videoId, facts, fixture.folder)
    for (const [index, time] of times.entries())
      expect(time - times[0]!).toBeCloseTo((index * 1024) / 48_000, 4)
  }, 120_000)

  it.each(
    someOf(
      [
        ['ends before its video', 6, 0],
        ['begins late', 7, 9],
        ['is longer than its video', 21, 0],
      ] as const,
      3,
    ),
  )(
    'is whole if it %s',
    async (_how, audioSeconds, startSeconds) => {
      const video = await prepare(audioSeconds, startSeconds)
      for (const ticket of [3, 2, 1, 0]) await encode(video, ticket)
      const { durationMs } = await published(video)
      expect(durationMs / 1000).toBeCloseTo(Math.max(SECONDS, audioSeconds), 1)
    },
    120_000,
  )
})
