import { randomBytes } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteVideo } from '../../commands/videos/delete-video.ts'
import { findChunks, isChunkRecorded } from '../../db/ingest/rendition-chunks.ts'
import type { EncodingPlan } from '../../domain/ingest/ingest.ts'
import { copyKey, mediaPrefix, sourceKey } from '../../domain/videos/media-paths.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { H264, picture, setUpMediaFixture, tone } from '../../test/fixtures/media-files.ts'
import { playRendition } from '../../test/fixtures/play-rendition.ts'
import { putSource, readSource } from '../../test/fixtures/stored-source.ts'
import { withDeps, type ActivityDeps } from '../deps.ts'
import { createIngestActivities } from '../ingest/ingest-activities.ts'
import { removeVideo } from '../ingest/remove-video.ts'
import { readSourceKey, recordSource } from '../source/source-keys.ts'
import { createEncodeActivities } from './encode-activities.ts'

interface Ingest {
  videoId: string
  accountId: number
  plan: EncodingPlan
}

const media = setUpMediaFixture()
let fixture: IngestFixture
/** In MPEG-TS, of two chunks and an open end. */
let video: string

beforeAll(async () => {
  fixture = await openIngestFixture()
  const groups = [...H264, '-x264-params', 'open-gop=1:keyint=25:bframes=2']
  const shape = [...picture('320x240', '10000/1001', 11), ...tone(11), ...groups]
  video = await media.make('film.ts', ...shape, '-c:a', 'aac', '-output_ts_offset', '4000')
})
afterAll(() => fixture.close())

/** A machine that has no file of any video. */
const machine = (): ActivityDeps => {
  const workDir = `${fixture.folder}/${randomBytes(4).toString('hex')}`
  return { ...fixture.deps, chunkSeconds: 4, workDir, ownDir: `${workDir}/own` }
}

async function prepared(by: ActivityDeps, options = {}, source = video): Promise<Ingest> {
  const input = await fixture.addVideo(options)
  await putSource(by, input.videoId, source)
  return { ...input, plan: await prepare(by, input) }
}

const prepare = (by: ActivityDeps, input: Omit<Ingest, 'plan'>): Promise<EncodingPlan> =>
  runActivity(createIngestActivities(by).prepareEncoding, input)

const COUNT = 3

function encode(
  by: ActivityDeps,
  { plan, ...input }: Ingest,
  index: number,
  info: { attempt?: number } = {},
): Promise<void> {
  const { audio: _, ...facts } = plan.facts
  if (!plan.chunks) throw new Error('the plan has chunks')
  const { encodeChunk } = createEncodeActivities(by)
  const audioNames = plan.audio.map(({ name }) => name)
  const group = { ...input, picture: facts, rungs: plan.rungs, audioNames, isFirst: true }
  return runActivity(encodeChunk, { ...group, plan: plan.chunks, index }, info)
}

async function finish(by: ActivityDeps, { plan, ...input }: Ingest): Promise<void> {
  const audioNames = plan.audio.map(({ name }) => name)
  for (const track of plan.audio) {
    const audio = { ...input, facts: plan.facts, audioNames, track }
    await runActivity(createEncodeActivities(by).encodeAudio, audio)
  }
  await runActivity(createIngestActivities(by).finishVideo, { ...input, facts: plan.facts })
}

const keysOf = async (videoId: string): Promise<string[]> =>
  (await fixture.objects()).filter((key) => key.includes(videoId))

async function copyOf(videoId: string): Promise<string> {
  const key = await readSourceKey(fixture.deps, videoId)
  if (!key?.copyId) throw new Error('the video has a copy')
  return copyKey(videoId, key.copyId)
}

describe('a video in a container that cannot be read from the middle', () => {
  it('keeps its chunks when its worker is killed, and becomes what an encode of the whole file makes of it', async () => {
    const [first, second] = [machine(), machine()]
    const cut = await prepared(first, { keepOriginal: true })
    expect(cut.plan.chunks?.count).toBe(COUNT)
    await encode(first, cut, 0)
    const tokens = async (): Promise<string[]> => {
      const name = cut.plan.rungs[0]?.name ?? ''
      const of = { videoId: cut.videoId, name, count: COUNT }
      return (await findChunks(fixture.deps.db.em.fork(), of)).map(({ token }) => token)
    }
    const recorded = await tokens()
    await rm(first.workDir, { recursive: true })
    for (const index of [0, 1]) await encode(second, cut, index)
    expect(recorded).toHaveLength(1)
    expect((await tokens())[0]).toBe(recorded[0])
    await encode(machine(), cut, 2)
    await finish(second, cut)
    const whole = await prepared({ ...second, chunkSeconds: 32 })
    expect(whole.plan.chunks?.count).toBe(1)
    await encode(second, whole, 0)
    const rungs = await shown(cut)
    expect(rungs).toEqual(await shown(whole))
    expect(rungs[0]?.frames).toHaveLength(110)
    const { status, sizeBytes, warnings } = await fixture.video(cut.videoId)
    expect({ status, warnings }).toEqual({ status: 'ready', warnings: [] })
    expect(sizeBytes).toBe((await mediaBytes(cut.videoId)) + (await stat(video)).size)
    const kept = (await keysOf(cut.videoId)).filter((key) => !key.startsWith('videos/'))
    expect(kept).toEqual([sourceKey(cut.videoId)])
    expect((await readSourceKey(fixture.deps, cut.videoId))?.copyId).toBeNull()
    const original = await readSource(fixture.deps, cut.videoId)
    expect(original).toHaveLength((await stat(video)).size)
  })

  it('has one copy of its picture, which is used again by every attempt', async () => {
    const [first, second] = [machine(), machine()]
    const input = await fixture.addVideo({ status: 'processing' })
    await putSource(first, input.videoId, video)
    const plans = await Promise.all([first, second].map((by) => prepare(by, input)))
    const copy = await copyOf(input.videoId)
    plans.push(await prepare(machine(), input))
    for (const { chunks } of plans) expect(chunks?.count).toBe(COUNT)
    expect(await keysOf(input.videoId)).toEqual([copy, sourceKey(input.videoId)])
  })

  it('leaves nothing of the copy when its video fails or is deleted, also while the copy is stored', async () => {
    const by = machine()
    const { videoId, plan: _, ...failed } = await prepared(by)
    const failure = { code: 'source_damaged', message: 'The file is damaged.' }
    await runActivity(createIngestActivities(by).failVideo, { videoId, ...failed, ...failure })
    expect(await keysOf(videoId)).toEqual([])

    const input = await fixture.addVideo()
    await putSource(by, input.videoId, video)
    const remove = async (): Promise<void> => {
      await deleteVideo(by.db.em.fork(), input.accountId, input.videoId)
      await runActivity(withDeps(by, removeVideo), input)
    }
    const putStream: ActivityDeps['storage']['putStream'] = async (...args) => {
      await remove()
      await by.storage.putStream(...args)
    }
    const storing = prepare({ ...by, storage: { ...by.storage, putStream } }, input)
    await expect(storing).rejects.toMatchObject({ type: 'video_gone' })
    expect(await keysOf(input.videoId)).toEqual([])
  })

  it('is encoded whole if its copy is missing, is the source, or is that of another source', async () => {
    const by = machine()
    const { storage } = by
    const ingest = await prepared(by)
    const { videoId } = ingest
    const copy = await copyOf(videoId)
    const bytesOf = async (key: string): Promise<Buffer> =>
      (await storage.read(key, 1e9))?.body ?? Buffer.alloc(0)
    const [copied, source] = await Promise.all([copy, sourceKey(videoId)].map(bytesOf))
    if (!copied || !source) throw new Error('both are stored')
    const put = (key: string, bytes: Buffer): Promise<void> =>
      storage.putBuffer(key, Buffer.from(bytes), 'video/mp4')
    const notExact = { type: 'chunk_not_exact' }
    await put(copy, source)
    await expect(encode(machine(), ingest, 1)).rejects.toMatchObject(notExact)
    await storage.deletePrefix(copy.slice(0, copy.lastIndexOf('/') + 1))
    await expect(encode(machine(), ingest, 1)).rejects.toMatchObject(notExact)
    await put(sourceKey(videoId), copied)
    await expect(readSource(by, videoId)).rejects.toMatchObject({ name: 'SourceCipherError' })
    await put(sourceKey(videoId), source)
    await put(copy, copied)
    await encode(machine(), ingest, 1)
    await recordSource(by, videoId, randomBytes(12).toString('hex'))
    await expect(encode(machine(), ingest, 0)).rejects.toMatchObject(notExact)
    expect((await readSourceKey(by, videoId))?.copyId).toBeNull()
  })
})

describe('a video that is encoded whole', () => {
  it('keeps each rung that is complete, once it has lost a worker', async () => {
    const path = await media.make('film.mpg', ...picture('480x360', '25', 1), '-c:v', 'mpeg2video')
    const by = machine()
    const { storage, db } = by
    const ingest = await prepared(by, {}, path)
    const [first, second] = ingest.plan.rungs.map(({ name }) => name)
    const isRecorded = (name = ''): Promise<boolean> =>
      isChunkRecorded(db.em.fork(), { videoId: ingest.videoId, name, count: 1, index: 0 })
    const encoded: string[] = []
    const putFile: ActivityDeps['storage']['putFile'] = async (key, ...file) => {
      if (key.includes(`/${second}/`)) throw new Error('the worker is lost')
      if (key.includes(`/${first}/`))
        encoded.push(...(await readdir(by.workDir, { recursive: true })))
      await storage.putFile(key, ...file)
    }
    const lost = encode({ ...by, storage: { ...storage, putFile } }, ingest, 0, { attempt: 2 })
    await expect(lost).rejects.toThrow('the worker is lost')
    expect(encoded.some((path) => path.includes(`${first}-`))).toBe(true)
    expect(encoded.filter((path) => path.includes(`${second}-`))).toEqual([])
    expect(await isRecorded(first)).toBe(true)
    await encode(by, ingest, 0, { attempt: 3 })
    expect(await isRecorded(second)).toBe(true)
  })
})

/** The picture that viewers get: which frame of the grid is shown, and what the rungs state. */
async function shown({ videoId }: Ingest) {
  const rungs = []
  for (const { facts } of await fixture.renditions(videoId)) {
    const { kind, name, durationMs, segments, damagedPercent } = facts
    if (kind !== 'video') continue
    const times = await playRendition(fixture.deps, videoId, facts, fixture.folder)
    const [start = 0] = times
    const frames = times.map((time) => Math.round(((time - start) * 10_000) / 1001))
    const ticks = segments.map(({ durationTicks }) => durationTicks)
    rungs.push({ name, durationMs, ticks, frames, damagedPercent })
  }
  return rungs
}

async function mediaBytes(videoId: string): Promise<number> {
  let bytes = 0
  for await (const { sizeBytes } of fixture.deps.storage.list(mediaPrefix(videoId)))
    bytes += sizeBytes
  return bytes
}
