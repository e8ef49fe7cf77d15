import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Account } from '../../db/entities/account.ts'
import { findChunks } from '../../db/ingest/rendition-chunks.ts'
import { TARGET_LUFS } from '../../domain/encoding/loudness.ts'
import type {
  EncodeChunkInput,
  EncodingPlan,
  IngestVideoInput,
} from '../../domain/ingest/ingest.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../domain/settings/player-settings.ts'
import {
  mediaPrefix,
  partPrefix,
  sourceKey,
  storyboardIndexKey,
} from '../../domain/videos/media-paths.ts'
import { picturesOf } from '../../domain/videos/poster-pictures.ts'
import {
  encodedSeconds,
  encoderSeconds,
  endedVideos,
  publishedChunks,
} from '../../metrics/ingest.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { playRendition } from '../../test/fixtures/play-rendition.ts'
import { makeSource } from '../../test/fixtures/sources.ts'
import { countedSince } from '../../test/infrastructure/counted.ts'
import { createIngestActivities } from '../ingest/ingest-activities.ts'
import { createEncodeActivities } from './encode-activities.ts'

const SECONDS = 17
const RATE = 10
/** Chunks of four seconds; the last one has five. */
const COUNT = 4

let fixture: IngestFixture
let input: IngestVideoInput
let plan: EncodingPlan
let encode: ReturnType<typeof createEncodeActivities>
let ingest: ReturnType<typeof createIngestActivities>

beforeAll(async () => {
  fixture = await openIngestFixture()
  const deps = { ...fixture.deps, chunkSeconds: 4, encodeMode: 'quality' as const }
  encode = createEncodeActivities(deps)
  ingest = createIngestActivities(deps)
  const path = join(fixture.folder, 'film.mp4')
  await makeSource(path, { seconds: SECONDS, size: '320x240', rate: RATE, grain: false })
  input = await fixture.addVideo()
  const settings = { ...DEFAULT_PLAYER_SETTINGS, normalize_loudness: true }
  await fixture.deps.db.em.fork().nativeUpdate(Account, input.accountId, { settings })
  await deps.storage.putFile(sourceKey(input.videoId), path, 'video/mp4')
  plan = await runActivity(ingest.prepareEncoding, input)
}, 120_000)

afterAll(() => fixture.close())

const status = async (): Promise<string> => (await fixture.video(input.videoId)).status

function chunk(index: number, isFirst: boolean): EncodeChunkInput {
  const { chunks, facts, audio } = plan
  if (!chunks) throw new Error('the plan has no chunks')
  const { audio: _, ...picture } = facts
  const rungs = isFirst ? plan.rungs.slice(0, 1) : plan.rungs.slice(1)
  const audioNames = audio.map(({ name }) => name)
  return { ...input, picture, rungs, isFirst, audioNames, plan: chunks, index }
}

const tokensOf = async (name: string): Promise<string[]> =>
  (await findChunks(fixture.deps.db.em.fork(), { videoId: input.videoId, name, count: COUNT })).map(
    ({ token }) => token,
  )

describe('a video of several chunks', () => {
  it('is cut by its plan, and is not playable before its first rung and its audio are complete', async () => {
    expect(plan.chunks).toEqual({ chunkFrames: 4 * RATE, count: COUNT })
    const [encoded, encoders, published] = await Promise.all(
      [encodedSeconds, encoderSeconds, publishedChunks].map(countedSince),
    )
    // In any order, twice, and two attempts at the same time.
    for (const index of [3, 0]) await runActivity(encode.encodeChunk, chunk(index, true))
    const [last] = await tokensOf('240p')
    await Promise.all([2, 2, 3].map((index) => runActivity(encode.encodeChunk, chunk(index, true))))
    expect((await tokensOf('240p')).length).toBe(3)
    expect(await tokensOf('240p')).toContain(last)
    const [track] = plan.audio
    if (!track) throw new Error('the video has audio')
    const sound = { ...input, facts: plan.facts, audioNames: [track.name], track }
    await runActivity(encode.encodeAudio, sound)
    expect(await status()).toBe('processing')
    await runActivity(encode.encodeChunk, chunk(1, true))
    expect(await status()).toBe('playable')
    await runActivity(encode.encodeAudio, sound)
    // Chunk 2, of four seconds, is encoded by two attempts.
    expect(await encoded?.()).toEqual({
      video: expect.closeTo(SECONDS + 4, 9),
      audio: expect.closeTo(SECONDS, 0),
    })
    expect(await encoders?.()).toEqual({ video: expect.any(Number), audio: expect.any(Number) })
    expect((await published?.())?.['']).toBeGreaterThanOrEqual(COUNT + 1)
  })

  it('becomes ready, with equal loudness, and every published frame decrypts and has its time', async () => {
    const ended = await countedSince(endedVideos)
    for (let index = 0; index < COUNT; index += 1)
      await runActivity(encode.encodeChunk, chunk(index, false))
    await runActivity(ingest.finishVideo, { ...input, facts: plan.facts })
    expect(await status()).toBe('ready')
    expect(await ended()).toEqual({ ready: 1 })
    const renditions = (await fixture.renditions(input.videoId)).map(({ facts }) => facts)
    const sound = renditions.find(({ kind }) => kind === 'audio')?.loudness
    expect((sound?.integratedLufs ?? 0) + (sound?.gainDb ?? 0)).toBeCloseTo(TARGET_LUFS, 0)
    const pictures = renditions.filter(({ kind }) => kind === 'video')
    expect(pictures.map(({ name }) => name)).toEqual(plan.rungs.map(({ name }) => name).toSorted())
    for (const rendition of pictures) {
      expect(rendition.parts).toHaveLength(COUNT)
      const times = await playRendition(fixture.deps, input.videoId, rendition, fixture.folder)
      expect(times).toHaveLength(SECONDS * RATE)
      const [start = 0] = times
      for (const [index, time] of times.entries()) expect(time - start).toBeCloseTo(index / RATE, 3)
    }
  })

  it('leaves no object of an attempt that does not count, and no tile', async () => {
    const renditions = (await fixture.renditions(input.videoId)).map(({ facts }) => facts)
    const used = renditions.flatMap(({ name, parts = [] }) =>
      parts.map(({ token }) => partPrefix(input.videoId, name, token)),
    )
    const objects = await fixture.objects()
    const nested = objects.filter((key) =>
      key.slice(mediaPrefix(input.videoId).length).includes('/'),
    )
    expect(nested.filter((key) => !used.some((prefix) => key.startsWith(prefix)))).toEqual([])
    expect(await fixture.scratch()).not.toContain(expect.stringContaining(input.videoId))
  })

  it('has a storyboard of all its chunks, without a file of one machine', async () => {
    const index = await fixture.deps.storage.read(storyboardIndexKey(input.videoId), 100_000)
    const cues = index?.body?.toString('utf8') ?? ''
    expect(cues.match(/#xywh=/g)).toHaveLength(9)
    expect(cues).toContain('00:00:16.000 --> 00:00:17')
  })

  it('has a placeholder of each picture that its poster can be chosen from', async () => {
    const video = await fixture.video(input.videoId)
    const names = picturesOf(video).map(({ storedName }) => storedName)
    expect(names).toHaveLength(7)
    expect(Object.keys(video.posterPlaceholders).toSorted()).toEqual(names.toSorted())
  })
})
