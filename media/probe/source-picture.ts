import { z } from 'zod'
import { pictureColor } from '../../domain/encoding/picture-color.ts'
import type { SourcePicture } from '../../domain/ingest/source-facts.ts'
import { framesPerSecond } from '../../domain/videos/rendition.ts'

const rational = z
  .string()
  .regex(/^\d+[/:]\d+$/)
  .catch('0/0')

const pictureSchema = z.looseObject({
  index: z.number(),
  codec_name: z.string().catch('unknown'),
  width: z.coerce.number().catch(0),
  height: z.coerce.number().catch(0),
  r_frame_rate: rational,
  avg_frame_rate: rational,
  sample_aspect_ratio: rational,
  duration: z.string().optional().catch(undefined),
  start_time: z.coerce.number().catch(0),
  nb_frames: z.coerce.number().int().positive().nullable().catch(null),
  pix_fmt: z.string().catch(''),
  color_space: z.string().catch(''),
  color_primaries: z.string().catch(''),
  field_order: z.string().catch('progressive'),
  color_transfer: z.string().catch(''),
  side_data_list: z
    .array(
      z.looseObject({
        rotation: z.coerce.number().optional(),
        dv_profile: z.number().optional().catch(undefined),
        dv_bl_signal_compatibility_id: z.number().optional().catch(undefined),
      }),
    )
    .catch([]),
  tags: z.record(z.string(), z.string()).catch({}),
})

export const FRAME_RATE_MAX = 60
const FALLBACK_RATE = '30/1'

/** Reads one ffprobe stream as a picture; replaces invalid values by safe ones. */
export function pictureOf(stream: unknown): SourcePicture {
  const s = pictureSchema.parse(stream)
  const rotation = rotationOf(s)
  const [sarWidth, sarHeight] = parts(s.sample_aspect_ratio)
  const aspect = sarWidth > 0 && sarHeight > 0 ? sarWidth / sarHeight : 1
  const isSane = aspect > 1 / 20 && aspect < 20
  const shownWidth = isSane ? Math.max(1, Math.round(s.width * aspect)) : s.width
  const interlaced = ['tt', 'bb', 'tb', 'bt'].includes(s.field_order)
  const isTurned = rotation === 90 || rotation === 270
  const frameRate = frameRateOf(s.avg_frame_rate, s.r_frame_rate, interlaced)
  return {
    index: s.index,
    codec: s.codec_name,
    width: s.width,
    height: s.height,
    displayWidth: isTurned ? s.height : shownWidth,
    displayHeight: isTurned ? shownWidth : s.height,
    rotation,
    frameRate,
    durationMs: trackDurationMs(s),
    interlaced,
    hdr:
      s.color_transfer === 'smpte2084' ? 'pq' : s.color_transfer === 'arib-std-b67' ? 'hlg' : null,
    color: pictureColor({
      width: s.width,
      height: s.height,
      pixelFormat: s.pix_fmt,
      matrix: s.color_space,
      primaries: s.color_primaries,
      transfer: s.color_transfer,
    }),
    statedFrames: statedFrames(s, frameRate),
    isConstantRate: isSameRate(s.avg_frame_rate, s.r_frame_rate, interlaced),
  }
}

function statedFrames({ nb_frames: listed, ...s }: z.infer<typeof pictureSchema>, rate: string) {
  const seconds = (listed ?? 0) / (statedRate(s) || Infinity)
  return seconds === 0 ? null : Math.round(seconds * framesPerSecond(rate))
}

/** ffmpeg turns by right angles what is this close to one. It turns everything else inside the frame, whose size stays. */
const ANGLE_TOLERANCE_DEGREES = 1

function angleOf({ side_data_list, tags }: z.infer<typeof pictureSchema>): number {
  const degrees = side_data_list.find(({ rotation }) => rotation !== undefined)?.rotation
  const turned = degrees ?? Number(tags.rotate ?? 0)
  return Number.isFinite(turned) ? turned : 0
}

const nearestRightAngle = (angle: number): number => Math.round(angle / 90) * 90

const isTilted = (angle: number): boolean =>
  Math.abs(angle - nearestRightAngle(angle)) > ANGLE_TOLERANCE_DEGREES

function rotationOf(s: z.infer<typeof pictureSchema>): number {
  const angle = angleOf(s)
  return isTilted(angle) ? 0 : ((nearestRightAngle(angle) % 360) + 360) % 360
}

/** True if a stream is turned by an angle between right angles, so that its corners lie outside the frame. */
export const hasCornersCut = (stream: unknown): boolean =>
  isTilted(angleOf(pictureSchema.parse(stream)))

/**
 * Returns the profile of Dolby Vision of a stream whose pixels say nothing without it, such as 5; null for any other
 * stream, also in Dolby Vision over HDR10, HLG or SDR.
 */
export const dolbyVisionAlone = (stream: unknown): number | null =>
  pictureSchema.parse(stream).side_data_list.find((one) => one.dv_bl_signal_compatibility_id === 0)
    ?.dv_profile ?? null

/**
 * Prefers the base rate, which keeps the motion of a variable-rate video, unless it is above 60 (a timer's
 * rate), counts fields, or is a multiple of a standard average: a gap that is no whole number of frames makes it finer.
 * Otherwise uses the average, halved until it is at most 60.
 */
function frameRateOf(average: string, base: string, interlaced: boolean): string {
  const isBaseFiner = interlaced || isMultiple(base, average)
  const candidates = isBaseFiner ? [average, base] : [base, average]
  const usable = candidates.map(parts).filter(([n, d]) => n > 0 && d > 0)
  const fitting = usable.find(([n, d]) => n / d <= FRAME_RATE_MAX) ?? usable.at(-1)
  if (!fitting) return FALLBACK_RATE
  const [numerator, denominator] = fitting
  let divisor = denominator
  while (numerator / divisor > FRAME_RATE_MAX + 0.01) divisor *= 2
  return nearStandard(numerator / divisor) ?? `${numerator}/${divisor}`
}

function isMultiple(base: string, average: string): boolean {
  const [rate = NaN, baseRate = NaN] = [average, base].map(parts).map(([n, d]) => n / d)
  return nearStandard(rate) !== null && Number.isInteger(Number((baseRate / rate).toFixed(3)))
}

/** The base rate may count fields. */
function isSameRate(average: string, base: string, interlaced: boolean): boolean {
  const [rate = NaN, baseRate = NaN] = [average, base].map(parts).map(([n, d]) => n / d)
  const ratios = interlaced ? [1, 2] : [1]
  return ratios.some((ratio) => Math.abs((rate * ratio) / baseRate - 1) < 0.01)
}

/** MP4 states seconds. Matroska states the end of the track, such as `00:01:00.040000000`. */
function trackDurationMs({ duration, tags, start_time }: z.infer<typeof pictureSchema>) {
  const text = duration ?? tags.DURATION
  if (text === undefined) return null
  const stated = text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  const seconds = duration === undefined ? stated - start_time : stated
  return Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : null
}

/** Returns when a track ends on the clock of the file, in milliseconds; null if that is not stated. */
export function trackEndMs(stream: unknown): number | null {
  const track = pictureSchema.parse(stream)
  const lengthMs = trackDurationMs(track)
  return lengthMs === null ? null : track.start_time * 1000 + lengthMs
}

const STANDARD_RATES: readonly [number, string][] = [
  [24_000 / 1001, '24000/1001'],
  [24, '24/1'],
  [25, '25/1'],
  [30_000 / 1001, '30000/1001'],
  [30, '30/1'],
  [50, '50/1'],
  [60_000 / 1001, '60000/1001'],
  [60, '60/1'],
]

/** Returns the standard rate, because the average over a short file differs slightly from it. */
const nearStandard = (fps: number): string | null =>
  STANDARD_RATES.find(([rate]) => Math.abs(rate - fps) / rate < 0.0004)?.[1] ?? null

function parts(text: string): [number, number] {
  const [a, b] = text.split(/[/:]/).map(Number)
  return [a ?? 0, b ?? 0]
}

/** Returns the frames per second that a stream states, 0 if none; fields do not count. */
export function statedRate(stream: unknown): number {
  const [n, d] = parts(pictureSchema.parse(stream).avg_frame_rate)
  return d > 0 ? n / d : 0
}

/** True if the pixels of a stream have transparency. WebM keeps it beside the picture, whose pixels then seem opaque. */
export function hasAlpha(stream: unknown): boolean {
  const { pix_fmt: format, tags } = pictureSchema.parse(stream)
  return /^(yuva|rgba|argb|bgra|abgr|gbrap|ya\d)/.test(format) || tags.alpha_mode === '1'
}
