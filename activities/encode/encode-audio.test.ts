import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findChunks } from '../../db/ingest/rendition-chunks.ts'
import { insertChunk } from '../../db/ingest/write-rendition-chunks.ts'
import { OPEN_COUNT } from '../../domain/encoding/audio-parts.ts'
import type { EncodeAudioInput, EncodingPlan } from '../../domain/ingest/ingest.ts'
import { mediaPrefix, parsePartKey } from '../../domain/videos/media-paths.ts'
import type { Rendition } from '../../domain/videos/rendition.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { H264, picture, setUpMediaFixture } from '../../test/fixtures/media-files.ts'
import { playRendition } from '../../test/fixtures/play-rendition.ts'
import { putSource } from '../../test/fixtures/stored-source.ts'
import { itOfAll } from '../../test/infrastructure/every-case.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { withDeps, type ActivityDeps } from '../deps.ts'
import { createIngestActivities } from '../ingest/ingest-activities.ts'
import { createEncodeActivities } from './encode-activities.ts'
import { forgetChunks } from './forget-chunks.ts'

/** Three parts, of 8, 32 and 28 s. */
const SECONDS = 68
/** About 60 s of the source: ffmpeg writes its output in blocks, so the end of the second part comes 13 s later. */
const HELD_FROM_BYTES = 11_000_000
const TRACK = 'audio-0'
/** Stated of a part that is recorded. */
const AUDIO: Rendition = {
  kind: 'audio',
  name: TRACK,
  trackType: 'AUDIO',
  language: null,
  label: null,
  codecs: 'mp4a.40.2',
  channels: 2,
  sampleRate: 48_000,
  timescale: 48_000,
  width: null,
  height: null,
  frameRate: null,
  bandwidthBps: 1,
  averageBandwidthBps: 1,
  durationMs: 8_000,
  sizeBytes: 1,
  segments: [{ durationTicks: 192_512, sizeBytes: 1 }],
}
const media = setUpMediaFixture()
let fixture: IngestFixture
let encodeAudio: (input: EncodeAudioInput) => Promise<void>
let source: string
let input: { videoId: string; accountId: number }
let plan: EncodingPlan

const makeVideo = (name: string, seconds: number): Promise<string> => {
  const noise = `anoisesrc=r=48000:a=0.1:d=${seconds}`
  const audio = ['-f', 'lavfi', '-i', noise, '-c:a', 'pcm_s16le', '-ac', '2']
  return media.make(name, ...picture('64x64', 5, seconds), ...audio, ...H264)
}

beforeAll(async () => {
  fixture = await openIngestFixture()
  ;({ encodeAudio } = createEncodeActivities(fixture.deps))
  source = await makeVideo('film.mkv', SECONDS)
}, 60_000)
afterAll(() => fixture.close())
beforeEach(async () => {
  input = await fixture.addVideo()
  await putSource(fixture.deps, input.videoId, source)
  plan = await runActivity(createIngestActivities(fixture.deps).prepareEncoding, input)
})

function track(): EncodeAudioInput {
  const [first] = plan.audio
  if (!first) throw new Error('the video has audio')
  return { ...input, facts: plan.facts, audioNames: [TRACK], track: first }
}

const recorded = () =>
  findChunks(fixture.deps.db.em.fork(), {
    videoId: input.videoId,
    name: TRACK,
    count: OPEN_COUNT,
  })
const tokens = async () => (await recorded()).map(({ token }) => token)

async function published() {
  const [rendition] = await fixture.renditions(input.videoId)
  if (!rendition) throw new Error('the track is not published')
  return rendition.facts
}

/** The attempts that have objects. */
async function storedTokens(): Promise<Set<string>> {
  const keys = (await fixture.objects()).filter((key) => key.startsWith(mediaPrefix(input.videoId)))
  return new Set(keys.map(parsePartKey).flatMap((part) => part?.token ?? []))
}

/** Stops an attempt once it has recorded so many parts; until then its encoder gets no more of the source. */
async function stopAfter(parts: number): Promise<string[]> {
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') })
  const stored = fixture.deps.storage
  const storage: ActivityDeps['storage'] = {
    ...stored,
    async get(key, range) {
      if ((range?.startByte ?? 0) > HELD_FROM_BYTES) {
        await waitFor('recorded parts', async () => (await recorded()).length >= parts)
        environment.cancel()
      }
      return stored.get(key, range)
    },
  }
  const attempt = createEncodeActivities({ ...fixture.deps, storage }).encodeAudio
  await expect(environment.run(attempt, track())).rejects.toThrow()
  return tokens()
}

describe('an audio track', () => {
  it('is published in parts while it is encoded; a retry makes only those that are missing', async () => {
    const first = await stopAfter(1)
    expect(await fixture.renditions(input.videoId)).toEqual([])
    const { reservedBytes } = await fixture.video(input.videoId)
    await runActivity(encodeAudio, track())
    const facts = await published()
    const used = facts.parts?.map(({ token }) => token) ?? []
    expect(used.slice(0, first.length)).toEqual(first)
    expect(facts.parts?.map(({ firstSegment }) => firstSegment)).toEqual([1, 3, 11])
    expect(facts).toMatchObject({
      durationMs: SECONDS * 1000,
      loudness: { integratedLufs: expect.any(Number), gainDb: 0 },
    })
    expect(facts.segments).toHaveLength(SECONDS / 4)
    expect(await tokens()).toEqual([])
    expect((await fixture.video(input.videoId)).reservedBytes).toBeGreaterThanOrEqual(reservedBytes)
    const times = await playRendition(fixture.deps, input.videoId, facts, fixture.folder)
    for (const [index, time] of times.entries())
      expect(time - times[0]!).toBeCloseTo((index * 1024) / 48_000, 4)
    // Nothing happens to a published track.
    await runActivity(encodeAudio, track())
    expect(await published()).toEqual(facts)
  }, 120_000)

  it('is published as one part if its recorded parts do not fit together, and the log says why', async () => {
    const part = { name: TRACK, count: OPEN_COUNT, index: 0, videoId: input.videoId }
    const made = { token: '0a0a0a0a', firstSegment: 1, startTicks: 0, initHash: '', encoded: null }
    await insertChunk(fixture.deps.db.em.fork(), part, { ...made, rendition: AUDIO })
    const lines: string[] = []
    const logger = pino({}, { write: (line) => void lines.push(line) })
    const { encodeAudio: encode } = createEncodeActivities({ ...fixture.deps, logger })
    await runActivity(encode, track())
    const facts = await published()
    expect(facts).toMatchObject({ durationMs: SECONDS * 1000, parts: [{ firstSegment: 1 }] })
    expect(facts.segments).toHaveLength(SECONDS / 4)
    expect(await recorded()).toEqual([])
    const line = lines.map((one) => JSON.parse(one)).find(({ code }) => code === 'chunk_not_exact')
    const fault = { reason: 'initialisation_segment', chunk: 1, expected: '' }
    expect(line).toMatchObject({ videoId: input.videoId, rendition: TRACK, ...fault })
  }, 120_000)

  itOfAll(
    'that two attempts make at the same time is published once, and no object of a lost part is left',
    async () => {
      await Promise.all([1, 2].map(() => runActivity(encodeAudio, track())))
      const { parts = [], durationMs } = await published()
      expect(durationMs).toBe(SECONDS * 1000)
      expect(await storedTokens()).toEqual(new Set(parts.map(({ token }) => token)))
      expect(await recorded()).toEqual([])
    },
    120_000,
  )

  itOfAll(
    'keeps its recorded parts when the video is encoded whole',
    async () => {
      const before = await stopAfter(2)
      await runActivity(withDeps(fixture.deps, forgetChunks), input)
      expect(await tokens()).toEqual(before)
    },
    120_000,
  )

  itOfAll(
    'that a later attempt finds to end earlier is published as far as it is recorded',
    async () => {
      const before = await stopAfter(2)
      await putSource(fixture.deps, input.videoId, await makeVideo('cut.mkv', 20))
      const shorter = { ...track(), facts: { ...plan.facts, durationMs: null } }
      await runActivity(encodeAudio, shorter)
      expect((await published()).parts?.map(({ token }) => token)).toEqual(before)
      expect(await storedTokens()).toEqual(new Set(before))
    },
    120_000,
  )
})
