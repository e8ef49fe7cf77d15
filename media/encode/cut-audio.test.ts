import { createHash } from 'node:crypto'
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import type { EncryptionScheme } from '../../domain/accounts/plan.ts'
import { audioPartOf, type AudioPart } from '../../domain/encoding/audio-parts.ts'
import { joinChunks } from '../../domain/encoding/join-chunks.ts'
import type { Segment } from '../../domain/videos/rendition.ts'
import { VIDEO_KEY } from '../../test/fixtures/chunked-video.ts'
import { H264, picture, setUpMediaFixture, signal } from '../../test/fixtures/media-files.ts'
import { someOf } from '../../test/infrastructure/every-case.ts'
import { readFragments } from '../package/fragments.ts'
import { packageRendition, type PackagedRendition } from '../package/package-rendition.ts'
import { keyFlag, runPackager } from '../package/packager.ts'
import { probeSource } from '../probe/probe-source.ts'
import { cutAudio, type AudioFile } from './cut-audio.ts'
import { encodeAudio } from './encode-audio.ts'

const t = setUpMediaFixture()
const LONG_MS = 41_300
let made = 0

/** Encodes audio of `seconds` that differs everywhere, for a video that states `statedMs`. Returns the path of the whole encode. */
async function encode(seconds: number, statedMs: number, rate = 48_000): Promise<string> {
  const name = `sound-${(made += 1)}`
  const noise = ['-f', 'lavfi', '-i', `anoisesrc=r=${rate}:a=0.1:d=${seconds}`, '-c:a', 'pcm_s16le']
  const sourcePath = await t.make(`${name}.mkv`, ...picture('64x64', 5, 2), ...noise, ...H264)
  const facts = { ...(await probeSource(sourcePath, { signal })), durationMs: statedMs }
  const outputPath = join(t.folder, `${name}.mp4`)
  await encodeAudio({ sourcePath, facts, track: facts.audio[0]!, outputPath, signal })
  return outputPath
}

/** Which part of a track has this index. */
type PartOf = (index: number) => Pick<AudioPart, 'endSeconds' | 'firstSegment'>

/** The plan for a video of this stated duration. */
const partsOf =
  (statedMs: number): PartOf =>
  (index) =>
    audioPartOf(statedMs, index)

/** Cuts a file by a plan. */
async function cut(path: string, partOf: PartOf): Promise<AudioFile[]> {
  const cutter = cutAudio(path, (index) => partOf(index).endSeconds)
  const parts: AudioFile[] = []
  for (let part = await cutter.next(); part; part = await cutter.next()) parts.push(part)
  return [...parts, cutter.rest()]
}

async function pack(
  inputPath: string,
  scheme: EncryptionScheme,
  firstSegment: number,
  delayTicks?: number,
) {
  const outputDir = `${inputPath}.${scheme}`
  await mkdir(outputDir)
  const track = { kind: 'audio', name: 'audio-0', trackType: 'AUDIO' } as const
  const key = { ...VIDEO_KEY, ivHex: scheme === 'cbcs' ? '1'.repeat(32) : null }
  const more = { language: null, label: null, pssh: [], segmentSeconds: 4, signal }
  return packageRendition({
    ...track,
    ...more,
    inputPath,
    outputDir,
    scheme,
    key,
    firstSegment,
    delayTicks,
  })
}

/** Packages the parts of a file, each by itself. */
async function packParts(path: string, scheme: EncryptionScheme, partOf: PartOf) {
  const packaged: PackagedRendition[] = []
  for (const [index, { bytes, delayTicks }] of (await cut(path, partOf)).entries()) {
    const partPath = `${path}.${scheme}-${index}.mp4`
    await writeFile(partPath, bytes)
    const { firstSegment } = partOf(index)
    packaged.push(await pack(partPath, scheme, firstSegment, delayTicks))
  }
  return packaged
}

/** Joins packaged parts, as the last one does when it is recorded. */
const joined = (parts: PackagedRendition[], partOf: PartOf) =>
  joinChunks(
    parts.map((part, index) => {
      const { firstSegment } = partOf(index)
      return { ...part, token: '0a0a0a0a', firstSegment, encoded: null }
    }),
  )

const sum = (counts: number[]): number => counts.reduce((all, one) => all + one)

async function packets(path: string): Promise<string[]> {
  const shown = ['-show_packets', '-show_data_hash', 'md5', '-show_entries', 'packet=data_hash']
  const { stdout } = await execa('ffprobe', ['-v', 'error', ...shown, '-of', 'csv=p=0', path])
  return stdout.match(/[0-9a-f]{32}/g) ?? []
}

/** Puts all segments behind the first init segment, as a player does, and decrypts them. */
async function decrypted(packaged: PackagedRendition[], path: string): Promise<string> {
  await writeFile(path, await readFile(packaged[0]!.initPath))
  for (const { segmentPaths } of packaged)
    for (const segment of segmentPaths) await appendFile(path, await readFile(segment))
  const secret = ['--enable_raw_key_decryption', keyFlag(VIDEO_KEY)]
  const stream = `in=${path},stream=audio,output=${path}.clear.mp4`
  await runPackager([stream], secret, { signal, outputDir: t.folder })
  return `${path}.clear.mp4`
}

/** A comparison of buffers by `expect` takes seconds. */
const digest = ({ bytes, delayTicks }: AudioFile) => ({
  delayTicks,
  hash: createHash('sha256').update(bytes).digest('hex'),
})

const ticksOf = ({ durationTicks }: Segment): number => durationTicks

const segmentsOf = (packaged: PackagedRendition[]) =>
  packaged.flatMap(({ rendition }) => rendition.segments.map(ticksOf))

/** The decoding times of all packets, as players read them. */
async function timesOf(packaged: PackagedRendition[]): Promise<number[]> {
  const files = await Promise.all(
    packaged.flatMap(({ segmentPaths }) => segmentPaths.map(readFragments)),
  )
  return files.flatMap(({ fragments }) =>
    fragments.flatMap(({ samples }) => samples.map(({ shownTicks }) => shownTicks)),
  )
}

describe('the parts of encoded audio', () => {
  let long: Promise<string> | undefined
  /** An audio track of three parts. */
  const encodeLong = () => (long ??= encode(LONG_MS / 1000, LONG_MS))

  it.each(someOf(['cenc', 'cbcs'] as const, 2))(
    'have the packets, segments and times of the whole track, behind one init segment: %s',
    async (scheme) => {
      const path = await encodeLong()
      const whole = await pack(path, scheme, 1)
      const parts = await packParts(path, scheme, partsOf(LONG_MS))
      expect(parts).toHaveLength(3)
      expect(segmentsOf(parts)).toEqual(segmentsOf([whole]))
      expect(await timesOf(parts)).toEqual(await timesOf([whole]))
      expect(new Set(parts.map(({ initHash }) => initHash))).toEqual(new Set([whole.initHash]))
      const starts = parts.map(({ startTicks, rendition }) => startTicks / rendition.timescale)
      expect(starts).toEqual([0, 8, 40])
      const clear = await decrypted(parts, join(t.folder, `${scheme}.mp4`))
      expect(await packets(clear)).toEqual(await packets(path))
    },
    60_000,
  )

  it.each([
    ['ends long before its video', 3, 44_000, [2, 8, 1]],
    ['is longer than its video states', 44, 20_000, [10, 1]],
    ['ends where a part does, but for what its decoder discards', 40.01, 40_000, [2, 8, 1]],
    ['is short', 12, 12_000, [3]],
  ])('are right if it %s', async (_title, seconds, statedMs, segments) => {
    const path = await encode(seconds, statedMs)
    const parts = await packParts(path, 'cenc', partsOf(statedMs))
    expect(parts.map(({ segmentPaths }) => segmentPaths.length)).toEqual(segments)
    expect(segmentsOf(parts)).toEqual(segmentsOf([await pack(path, 'cenc', 1)]))
    expect(joined(parts, partsOf(statedMs)).segments).toHaveLength(sum(segments))
  })

  const ends = [
    ['of one frame each 10 s', 8_000, 44_100],
    ['at 29.97 frames a second', 8_007, 48_000],
    ['at 23.976 frames a second, with audio that ends early', 8_008, 22_050],
    ['whose last packet is nearly full', 8_021, 48_000],
  ] as const

  it.each(someOf(ends, 2))(
    'fit where the track ends close to a part, for a video %s',
    async (_title, endMs, rate) => {
      const path = await encode(rate === 22_050 ? 2 : endMs / 1000, endMs, rate)
      const everyFourSeconds = (index: number) => ({
        endSeconds: 4 + index * 4,
        firstSegment: 1 + index,
      })
      const parts = await packParts(path, 'cenc', everyFourSeconds)
      const { rendition } = await pack(path, 'cenc', 1)
      expect(joined(parts, everyFourSeconds).segments.map(ticksOf)).toEqual(
        rendition.segments.map(ticksOf),
      )
    },
  )

  it('are the same while the file grows by any number of bytes, and before it exists', async () => {
    const path = await encodeLong()
    const bytes = await readFile(path)
    const growing = join(t.folder, 'growing.mp4')
    const cutter = cutAudio(growing, (index) => audioPartOf(LONG_MS, index).endSeconds)
    const parts: AudioFile[] = []
    const look = async () => {
      for (let part = await cutter.next(); part; part = await cutter.next()) parts.push(part)
    }
    await look()
    for (let at = 0, step = 1; at < bytes.length; at += step, step = 1 + ((step * 7) % 9973)) {
      await appendFile(growing, bytes.subarray(at, at + step))
      await look()
    }
    expect([...parts, cutter.rest()].map(digest)).toEqual(
      (await cut(path, partsOf(LONG_MS))).map(digest),
    )
  })
})
