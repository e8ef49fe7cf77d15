import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { openContentKey } from '../../activities/encode/content-keys.ts'
import { Caption } from '../../db/entities/annotation.ts'
import { listChapters } from '../../db/videos/annotations.ts'
import type { Rendition } from '../../domain/videos/rendition.ts'
import { ingestVideo } from '../fixtures/ingest-video.ts'
import { openIngestFixture, type IngestFixture } from '../fixtures/ingest.ts'
import { HAS_EVERY_CASE, someOf } from '../infrastructure/every-case.ts'
import { ffmpeg, makeBases } from './bases.ts'
import { COMBINED } from './combined.ts'
import { ODD_FILES, type OddFile, type Ready } from './table.ts'

/** Each file takes a dozen short programs, one after another. */
const AT_ONCE = 4
/** `npm test` ingests one file in nine of those that together have each oddity once. */
const FILES = HAS_EVERY_CASE
  ? [...ODD_FILES, ...COMBINED]
  : someOf(
      [...COMBINED, ...ODD_FILES].filter(({ isExtra }) => !isExtra),
      9,
    )

let fixture: IngestFixture
/** The end of each file, by its name. */
const ends = new Map<string, Promise<Ended>>()

beforeAll(async () => {
  fixture = await openIngestFixture()
  await makeBases(fixture.folder)
  const queue = FILES.values()
  const promises = new Map(FILES.map(({ name }) => [name, Promise.withResolvers<Ended>()]))
  for (const [name, { promise }] of promises) ends.set(name, promise)
  for (let worker = 0; worker < AT_ONCE; worker += 1)
    void (async () => {
      for (const file of queue) {
        const { resolve, reject } = promises.get(file.name) ?? Promise.withResolvers<Ended>()
        await runToEnd(file).then(resolve, reject)
      }
    })()
})

afterAll(() => fixture.close())

it.each(FILES.map((file) => [file.title, file] as const))('%s', async (_title, { name, end }) => {
  const ended = await ends.get(name)
  if ('failed' in end) {
    expect(ended).toMatchObject({ failed: end.failed })
    expect(ended).toMatchObject({ message: expect.stringMatching(end.message ?? /./) })
    return
  }
  const { seconds = 2, sound, ...rest } = end
  expect(ended).toEqual({
    size: [128, 72],
    frames: Math.round(seconds * 25),
    matrix: 'smpte170m',
    audio: [[null, null]],
    warnings: [],
    chapters: [],
    captions: [],
    pixelFormat: 'yuv420p',
    range: 'tv',
    ...rest,
    seconds: expect.closeTo(seconds, 0),
    ...(sound && { sound: sound.map(about) }),
  })
})

/** Audio may begin and end this much earlier or later. */
const AUDIO_TOLERANCE_SECONDS = 0.1

const about = (ends: [number, number]): unknown[] =>
  ends.map((end) => ({
    asymmetricMatch: (other: unknown) => Math.abs(Number(other) - end) < AUDIO_TOLERANCE_SECONDS,
    toString: () => `about ${end}`,
  }))

type Ended = { failed: string; message: string } | (Ready & { pixelFormat: string; range: string })

const failureSchema = z.object({ type: z.string(), message: z.string() })

async function runToEnd({ name, make, end }: OddFile): Promise<Ended> {
  const { folder, deps, accountId } = fixture
  if (typeof make === 'string') await ffmpeg(folder, `${make} ${name}`)
  else await make(folder, name)
  const { db, masterKeys, storage, workDir } = deps
  const target = { db, masterKeys, storage, workDir, accountId }
  try {
    const hasAudio = !('failed' in end) && end.sound !== undefined
    return await published(await ingestVideo(join(folder, name), target), hasAudio)
  } catch (error) {
    const failure = failureSchema.safeParse(error)
    if (!failure.success) throw error
    const { type: failed, message } = failure.data
    return { failed, message }
  }
}

async function published(videoId: string, hasAudio: boolean): Promise<Ended> {
  const [video, rows] = await Promise.all([fixture.video(videoId), fixture.renditions(videoId)])
  expect(video.status).toBe('ready')
  const renditions = rows.map(({ facts }) => facts)
  const picture = renditions.find(({ kind }) => kind === 'video')
  if (!picture) throw new Error('no picture is published')
  const tracks = renditions.filter(({ kind }) => kind === 'audio').toSorted(byNumber)
  for (const track of tracks) expect(track.durationMs).toBeGreaterThan(picture.durationMs - 100)
  const [track] = hasAudio ? tracks : []
  return {
    ...(track && { sound: await heard(videoId, track) }),
    ...(await decoded(videoId, picture)),
    seconds: (video.durationMs ?? 0) / 1000,
    audio: tracks.map(({ language, label, purpose }) =>
      [language, label, purpose].filter((one) => one !== undefined),
    ),
    warnings: video.warnings.map(({ code }) => code),
    ...(await extrasOf(videoId)),
  }
}

async function extrasOf(videoId: string) {
  const em = fixture.deps.db.em.fork()
  const chapters = await listChapters(em, videoId)
  const captions = await em.find(Caption, { videoId }, { populate: ['content'] })
  return {
    chapters: chapters.map((one) => `${one.startSeconds}-${one.endSeconds} ${one.title}`),
    captions: captions.map((one) => {
      const text = one.content.trim().split('\n').at(-1) ?? ''
      return `${one.languageCode} ${one.label}: ${text}`
    }),
  }
}

const byNumber = (one: Rendition, other: Rendition): number =>
  Number(one.name.slice(6)) - Number(other.name.slice(6))

const streamsSchema = z.object({
  streams: z.tuple([
    z.object({
      width: z.number(),
      height: z.number(),
      nb_read_frames: z.coerce.number(),
      pix_fmt: z.string(),
      color_range: z.string(),
      color_space: z.enum(['smpte170m', 'bt470bg', 'bt709']),
    }),
  ]),
})

/** Returns the arguments that open a rendition as a player does, from its stored objects. */
async function inputOf(videoId: string, { name, trackType }: Rendition): Promise<string[]> {
  const { deps, folder } = fixture
  const key = await openContentKey(deps.masterKeys, deps.db.em.fork(), videoId, trackType)
  const path = join(folder, `${videoId}-${name}.mp4`)
  for (const object of await objectsOf(videoId, name)) await appendFile(path, object)
  return ['-decryption_key', key.key.toString('hex'), '-i', path]
}

async function decoded(videoId: string, picture: Rendition) {
  const wanted = ['-v', 'error', '-count_frames', '-show_streams', '-of', 'json']
  const { stdout } = await execa('ffprobe', [...wanted, ...(await inputOf(videoId, picture))])
  const [stream] = streamsSchema.parse(JSON.parse(stdout)).streams
  const size: [number, number] = [stream.width, stream.height]
  return {
    size,
    frames: stream.nb_read_frames,
    matrix: stream.color_space,
    pixelFormat: stream.pix_fmt,
    range: stream.color_range,
  }
}

/** Where a rendition is not silent, from and to, in seconds. */
async function heard(videoId: string, track: Rendition): Promise<[number, number][]> {
  const silence = ['-af', 'silencedetect=noise=-40dB:duration=0.1', '-f', 'null', '-']
  const { stderr } = await execa('ffmpeg', [...(await inputOf(videoId, track)), ...silence])
  const times = (name: string): number[] =>
    [...stderr.matchAll(new RegExp(`silence_${name}: (-?[\\d.]+)`, 'g'))].map((one) =>
      Number(one[1]),
    )
  const [begins, ends] = [times('start'), times('end')]
  const starts = begins[0] !== undefined && begins[0] <= 0 ? [] : [0]
  return [...starts, ...ends]
    .map((from): [number, number] => [from, begins.find((at) => at > from) ?? Infinity])
    .filter(([, to]) => to < Infinity)
}

/** The stored bytes of a rendition: its init segment, then its segments in order. */
async function objectsOf(videoId: string, name: string): Promise<Buffer[]> {
  const keys: string[] = []
  for await (const { key } of fixture.deps.storage.list(`videos/${videoId}/${name}/`))
    keys.push(key)
  const numberOf = (key: string): number => Number(/(\d+)\.m4s$/.exec(key)?.[1] ?? 0)
  const inOrder = keys.toSorted((one, other) => numberOf(one) - numberOf(other))
  return Promise.all(inOrder.map((key) => readFile(join(fixture.folder, 'objects', key))))
}
