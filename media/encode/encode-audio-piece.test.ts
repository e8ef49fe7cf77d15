import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import {
  AUDIO_RATE,
  audioPieceOf,
  audioSegmentSeconds,
} from '../../domain/encoding/audio-pieces.ts'
import { planChunk, planChunks, type Chunk } from '../../domain/encoding/chunks.ts'
import { joinedLoudness } from '../../domain/encoding/loudness.ts'
import type { SourceAudio, SourceFacts } from '../../domain/ingest/source-facts.ts'
import { VIDEO_KEY } from '../../test/fixtures/chunked-video.ts'
import { H264, picture, setUpMediaFixture, signal } from '../../test/fixtures/media-files.ts'
import { someOf } from '../../test/infrastructure/every-case.ts'
import { readFragments } from '../package/fragments.ts'
import { packageRendition, type PackagedRendition } from '../package/package-rendition.ts'
import { keyFlag, runPackager } from '../package/packager.ts'
import { probeSource } from '../probe/probe-source.ts'
import { withFrameGrids } from '../probe/read-frame-grids.ts'
import { encodeAudioPiece, type EncodedPiece } from './encode-audio-piece.ts'
import { encodeAudio } from './encode-audio.ts'

const t = setUpMediaFixture()
const SECONDS = 16

interface Video {
  path: string
  facts: SourceFacts
  track: SourceAudio
  chunks: Chunk[]
}

/** Makes a video with two rising and falling tones. A jump at a seam would be heard, and found, in them. */
async function makeVideo(
  name: string,
  frameRate: string,
  sampleRate: number,
  audio: string[],
): Promise<Video> {
  const bend = 3_000 / SECONDS
  const rising = `0.4*sin(2*PI*(100*t+${bend}*t*t))`
  const falling = `0.3*sin(2*PI*(6100*t-${bend}*t*t))`
  const tones = `aevalsrc=${rising}|${falling}:d=${SECONDS}:s=${sampleRate}`
  const inputs = [...picture('64x64', frameRate, SECONDS), '-f', 'lavfi', '-i', tones]
  const path = await t.make(name, ...inputs, ...H264, ...audio)
  const facts = await probeSource(path, { signal })
  const [track] = (await withFrameGrids(path, facts, { signal })) ?? []
  if (!track) throw new Error('the audio cannot be cut')
  const plan = planChunks(facts, 4)
  const chunks = Array.from({ length: plan.count }, (_, index) =>
    planChunk(plan, facts.video.frameRate, index),
  )
  return { path, facts, track, chunks }
}

async function pack(video: Video, inputPath: string, firstSegment: number, delayTicks?: number) {
  const outputDir = `${inputPath}.packaged`
  await mkdir(outputDir)
  const about = { kind: 'audio', name: 'audio-0', trackType: 'AUDIO', scheme: 'cenc' } as const
  const more = { language: null, label: null, pssh: [], delayTicks }
  const segmentSeconds = audioSegmentSeconds(video.facts.video.frameRate)
  const key = { ...VIDEO_KEY, ivHex: null }
  const place = { inputPath, outputDir, firstSegment, segmentSeconds }
  return packageRendition({ ...about, ...more, ...place, key, signal })
}

interface Made {
  pieces: EncodedPiece[]
  packaged: PackagedRendition[]
}

/** Encodes and packages every piece by itself, the last one first. */
async function makePieces(video: Video): Promise<Made> {
  const { path: sourcePath, facts, track, chunks } = video
  const made: Made = { pieces: [], packaged: [] }
  for (const chunk of chunks.toReversed()) {
    const piece = audioPieceOf(chunk, facts.video.frameRate)
    const outputPath = `${sourcePath}.${chunk.index}.mp4`
    const { durationMs } = facts
    const encoded = await encodeAudioPiece({
      sourcePath,
      durationMs,
      track,
      piece,
      outputPath,
      signal,
    })
    await writeFile(outputPath, encoded.file.bytes)
    made.pieces.unshift(encoded)
    made.packaged.unshift(
      await pack(video, outputPath, chunk.firstSegment, encoded.file.delayTicks),
    )
  }
  return made
}

/** Puts all segments behind the first init segment, as a player does, decrypts and decodes them. */
async function heard(packaged: PackagedRendition[], path: string): Promise<Float32Array> {
  await writeFile(path, await readFile(packaged[0]!.initPath))
  for (const { segmentPaths } of packaged)
    for (const segment of segmentPaths) await appendFile(path, await readFile(segment))
  const secret = ['--enable_raw_key_decryption', keyFlag(VIDEO_KEY)]
  const clearPath = `${path}.clear.mp4`
  const stream = `in=${path},stream=audio,output=${clearPath}`
  await runPackager([stream], secret, { signal, outputDir: t.folder })
  return decoded(clearPath)
}

/** The samples of the left channel. */
async function decoded(path: string, ...filter: string[]): Promise<Float32Array> {
  const output = ['-map', '0:a:0', ...filter, '-f', 'f32le', '-ac', '2', '-ar', '48000', '-']
  const { stdout } = await execa('ffmpeg', ['-v', 'error', '-i', path, ...output], {
    encoding: 'buffer',
    maxBuffer: 1e8,
  })
  const all = new Float32Array(Uint8Array.from(stdout).buffer)
  return all.filter((_, index) => index % 2 === 0)
}

/** The decoding times of all packets, as players read them. */
async function timesOf(packaged: PackagedRendition[]): Promise<number[]> {
  const files = await Promise.all(
    packaged.flatMap(({ segmentPaths }) => segmentPaths.map(readFragments)),
  )
  return files.flatMap(({ fragments }) =>
    fragments.flatMap(({ samples }) => samples.map(({ shownTicks }) => shownTicks)),
  )
}

const segmentsOf = (packaged: PackagedRendition[]) =>
  packaged.flatMap(({ rendition }) => rendition.segments.map(({ durationTicks }) => durationTicks))

/** The power of what differs between two places, as a share of the power of the audio. */
function difference(a: Float32Array, b: Float32Array, from: number, to: number): number {
  let [differing, power] = [0, 0]
  for (let at = from; at < to; at += 1) {
    const one = a[at] ?? 0
    differing += (one - (b[at] ?? 0)) ** 2
    power += one ** 2
  }
  return differing / power
}

/** A jump of one sample at 3 kHz is -8 dB; the encoder itself is below -20 dB. */
const TOLERANCE = 0.01

describe('audio that is encoded in pieces', () => {
  it.each(
    someOf(
      [
        [
          'AAC of 44.1 kHz, beside 29.97 frames',
          'a.mp4',
          '30000/1001',
          44_100,
          ['-c:a', 'aac', '-b:a', '192k'],
        ],
        [
          'Matroska, whose times are milliseconds',
          'b.mkv',
          '24',
          44_100,
          ['-c:a', 'aac', '-ac', '1'],
        ],
        ['Opus in WebM', 'c.mkv', '24000/1001', 48_000, ['-c:a', 'libopus']],
        ['AC-3 5.1', 'd.mp4', '25', 48_000, ['-c:a', 'ac3', '-ac', '6']],
        ['PCM mono', 'e.mov', '50', 48_000, ['-c:a', 'pcm_s16le', '-ac', '1']],
      ] as const,
      3,
    ),
  )(
    'has the segments, times, loudness and samples of the whole track, without a seam: %s',
    async (_title, name, frameRate, sampleRate, audio) => {
      const video = await makeVideo(name, frameRate, sampleRate, [...audio])
      const { path: sourcePath, facts, track, chunks } = video
      const outputPath = `${sourcePath}.whole.mp4`
      const { loudness } = await encodeAudio({ sourcePath, facts, track, outputPath, signal })
      const whole = await pack(video, outputPath, 1)
      const { pieces, packaged } = await makePieces(video)
      expect(packaged.length).toBeGreaterThanOrEqual(4)
      expect(segmentsOf(packaged)).toEqual(segmentsOf([whole]))
      expect(await timesOf(packaged)).toEqual(await timesOf([whole]))
      expect(new Set(packaged.map(({ initHash }) => initHash))).toEqual(new Set([whole.initHash]))
      const joined = joinedLoudness(pieces.map((one) => one.loudness))
      expect(joined.integratedLufs).toBeCloseTo(loudness.integratedLufs ?? 0, 0)
      const [all, together] = [
        await heard([whole], `${sourcePath}.all.mp4`),
        await heard(packaged, `${sourcePath}.joined.mp4`),
      ]
      expect(together.length).toBe(all.length)
      for (const chunk of chunks.slice(1)) {
        const { startSample } = audioPieceOf(chunk, facts.video.frameRate)
        expect(startSample / AUDIO_RATE).toBeGreaterThanOrEqual(chunk.index * 4 - 0.01)
        expect(difference(all, together, startSample - 2_048, startSample + 2_048)).toBeLessThan(
          TOLERANCE,
        )
      }
    },
    60_000,
  )
})
