import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { EncryptionScheme } from '../../domain/accounts/plan.ts'
import type { AudioPurpose } from '../../domain/encoding/audio-purpose.ts'
import { averageBitRate, peakBitRate } from '../../domain/encoding/bit-rates.ts'
import type { Rendition, Segment, TrackType } from '../../domain/videos/rendition.ts'
import { MediaError } from '../media-error.ts'
import type { MediaWork } from '../run-tool.ts'
import { delaySegment } from './delay-segment.ts'
import { initHash } from './init-hash.ts'
import { keyFlag, runPackager, type PackagerKey } from './packager.ts'

export interface PackageOptions extends MediaWork {
  /** The encoder's output: one unencrypted track in an MP4 file. */
  inputPath: string
  kind: 'video' | 'audio'
  /** An empty folder; receives `init.mp4` and the segments: `1.m4s`, `2.m4s`, … if `firstSegment` is 1. */
  outputDir: string
  firstSegment: number
  /** Added to the decoding times of the segments, for parts of audio (`media/encode/cut-audio.ts`). */
  delayTicks?: number | undefined
  /** Exact, so that the packager cuts all chunks of a video at the same frames: `domain/encoding/chunks.ts`. */
  segmentSeconds: number
  name: string
  key: PackagerKey
  scheme: EncryptionScheme
  trackType: TrackType
  language: string | null
  label: string | null
  purpose?: AudioPurpose | undefined
  /** DRM signalling for the init segment, each box in base64; empty for ClearKey. */
  pssh: string[]
}

/** Encrypted CMAF files on this machine, ready for storage. */
export interface PackagedRendition {
  rendition: Rendition
  initPath: string
  segmentPaths: string[]
  /** The decoding time of the first segment. */
  startTicks: number
  /** Equal for chunks that play behind the same init segment. */
  initHash: string
}

/** The target duration of peak rates. */
const SEGMENT_SECONDS = 4

/** Segments and encrypts one track. Throws MediaError `packaging_failed`. */
export async function packageRendition(options: PackageOptions): Promise<PackagedRendition> {
  const { outputDir, delayTicks = 0, signal, onProgress, stallMs, niceness } = options
  const secret = ['--enable_raw_key_encryption', keyFlag(options.key)]
  if (options.pssh.length > 0) secret.push(`--pssh=${options.pssh.map(hexOf).join('')}`)
  const work = { signal, onProgress, stallMs, niceness, outputDir }
  const { exitCode } = await runPackager(packagerArguments(options), secret, work)
  if (exitCode !== 0) throw new MediaError('packaging_failed', 'The video could not be packaged.')
  const manifest = await readFile(join(outputDir, 'manifest.mpd'), 'utf8')
  const segmentPaths = durations(manifest).map((_, index) =>
    join(outputDir, `${options.firstSegment + index}.m4s`),
  )
  if (delayTicks > 0) for (const path of segmentPaths) await delaySegment(path, delayTicks)
  const segments = await measured(manifest, segmentPaths)
  const initPath = join(outputDir, 'init.mp4')
  const init = await readFile(initPath)
  return {
    rendition: describe(options, manifest, segments, init.length),
    initPath,
    segmentPaths,
    startTicks: startOf(manifest),
    initHash: initHash(init),
  }
}

function packagerArguments(options: PackageOptions): string[] {
  const { inputPath, kind, outputDir, scheme, firstSegment, segmentSeconds } = options
  const stream = [
    `in=${inputPath}`,
    `stream=${kind}`,
    `init_segment=${join(outputDir, 'init.mp4')}`,
    `segment_template=${join(outputDir, '$Number$.m4s')}`,
  ]
  return [
    [stream.join(',')],
    ['--protection_scheme', scheme, '--clear_lead', '0'],
    ['--segment_duration', String(segmentSeconds), '--start_segment_number', String(firstSegment)],
    // Zero as the time of creation, so that the init segments of all chunks are the same.
    ['--use_fake_clock_for_muxer'],
    ['--generate_static_live_mpd', '--mpd_output', join(outputDir, 'manifest.mpd')],
  ].flat()
}

const hexOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex')

/** Returns the exact segment durations of the packager's manifest, in ticks. */
function durations(manifest: string): number[] {
  return [...manifest.matchAll(/<S\b[^>]*>/g)].flatMap(([element]) => {
    const repeats = Number(attribute(element, 'r') ?? 0)
    return Array.from({ length: repeats + 1 }, () => Number(attribute(element, 'd')))
  })
}

/** The time of the first segment, in ticks. */
const startOf = (manifest: string): number =>
  Number(attribute(/<S\b[^>]*>/.exec(manifest)?.[0] ?? '', 't') ?? 0)

function measured(manifest: string, paths: string[]): Promise<Segment[]> {
  const ticks = durations(manifest)
  return Promise.all(
    paths.map(async (path, index) => ({
      durationTicks: ticks[index] ?? 0,
      sizeBytes: (await stat(path)).size,
    })),
  )
}

function describe(
  options: PackageOptions,
  manifest: string,
  segments: Segment[],
  initBytes: number,
): Rendition {
  const { kind, name, trackType, language, label, purpose } = options
  const isVideo = kind === 'video'
  const timescale = Number(attribute(manifest, 'timescale'))
  const ticks = segments.reduce((sum, { durationTicks }) => sum + durationTicks, 0)
  const mediaBytes = segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return {
    kind,
    name,
    trackType,
    language,
    label,
    ...(purpose && { purpose }),
    timescale,
    segments,
    codecs: attribute(manifest, 'codecs') ?? '',
    width: isVideo ? Number(attribute(manifest, 'width')) : null,
    height: isVideo ? Number(attribute(manifest, 'height')) : null,
    frameRate: isVideo ? reduced(attribute(manifest, 'frameRate') ?? '0/1') : null,
    channels: isVideo ? null : channelsOf(manifest),
    sampleRate: isVideo ? null : Number(attribute(manifest, 'audioSamplingRate')),
    bandwidthBps: peakBitRate(segments, timescale, SEGMENT_SECONDS),
    averageBandwidthBps: averageBitRate(segments, timescale),
    durationMs: Math.round((ticks * 1000) / timescale),
    sizeBytes: initBytes + mediaBytes,
  }
}

const attribute = (xml: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(xml)?.[1]

const channelsOf = (manifest: string): number =>
  Number(/AudioChannelConfiguration[^>]*value="(\d+)"/.exec(manifest)?.[1] ?? 2)

/** Reduces a fraction: `15360/512` becomes `30/1`. */
function reduced(rate: string): string {
  const [numerator = 0, denominator = 1] = rate.split('/').map(Number)
  const divisor = gcd(numerator, denominator) || 1
  return `${numerator / divisor}/${denominator / divisor}`
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))
