import type { Protection } from '../accounts/plan.ts'
import { trackTypeByPixels } from '../drm/key-contract.ts'
import { ENCODER_SETTINGS, type EncodeMode, type Preset } from '../ingest/encode-mode.ts'
import { videoTrackType, type TrackType } from '../videos/rendition.ts'

/** One rung of a video's ladder: the parameters of its encode. */
export interface Rung {
  /** `720p`, or `<short side>p` for a source that is smaller than every rung. */
  name: string
  /** Pixels; both even. */
  width: number
  height: number
  trackType: TrackType
  /** Constant quality, capped by `maxrateBps` over a buffer of `bufsizeBits`. */
  crf: number
  /** Of x264; absent in older workflows. */
  preset?: Preset
  maxrateBps: number
  bufsizeBits: number
}

export interface LadderInput {
  /** The displayed size: rotation and pixel aspect ratio applied. */
  width: number
  height: number
  /** The short sides that the account's settings allow. */
  availableResolutions: readonly number[]
  /** Decides how rungs are assigned to keys: by short side for ClearKey (the default), by pixels for Multi-DRM. */
  protection?: Protection
  /** Speed by default. */
  mode?: EncodeMode | undefined
}

/** Short side, and its peak rate in kb/s at 16:9 and 30 frames per second. */
const RUNGS = [
  { shortSide: 240, maxrateKbps: 700 },
  { shortSide: 360, maxrateKbps: 1_200 },
  { shortSide: 480, maxrateKbps: 2_200 },
  { shortSide: 720, maxrateKbps: 4_500 },
  { shortSide: 1080, maxrateKbps: 8_000 },
  { shortSide: 1440, maxrateKbps: 14_000 },
  { shortSide: 2160, maxrateKbps: 28_000 },
] as const

/** The first rung to encode: small enough to finish early, large enough to watch. */
const FIRST_SHORT_SIDE = 360
/** The largest side of H.264 at the levels that browsers decode. */
const LONGEST_SIDE = 8_192
/** A smaller picture is enlarged, as far as the longest side allows. */
const SMALLEST_SIDE = 16

/**
 * Returns the ladder of a video in the order of encoding: 360p first (or the lowest rung), then the
 * others from low to high. Rungs are named by their short side, never exceed the source, and are limited to
 * the account's resolutions. A source smaller than all rungs gets one rung of its size; a source whose
 * settings exclude every fitting rung gets the lowest. The shape of the source is kept, so one with a very long side gets fewer
 * rungs.
 */
export function planLadder(input: LadderInput): Rung[] {
  const source = Math.min(input.width, input.height)
  const largest = LONGEST_SIDE / shapeOf(input)
  const fitting = RUNGS.filter(({ shortSide }) => shortSide <= Math.min(source, largest))
  const allowed = fitting.filter(({ shortSide }) => input.availableResolutions.includes(shortSide))
  const chosen = allowed.length > 0 ? allowed : fitting.slice(0, 1)
  if (chosen.length === 0) {
    const own = evenDown(Math.min(largest, Math.max(SMALLEST_SIDE, source)))
    return [makeRung(input, own, RUNGS[0].maxrateKbps)]
  }
  const rungs = chosen.map(({ shortSide, maxrateKbps }) => makeRung(input, shortSide, maxrateKbps))
  const first = firstRung(chosen.map(({ shortSide }) => shortSide))
  return [...rungs.slice(first, first + 1), ...rungs.slice(0, first), ...rungs.slice(first + 1)]
}

/** Returns the index of the rung that is encoded first, given the short sides from low to high. */
export const firstRung = (shortSides: readonly number[]): number =>
  Math.max(0, shortSides.indexOf(FIRST_SHORT_SIDE))

function makeRung(input: LadderInput, shortSide: number, maxrateKbps: number): Rung {
  const scale = shortSide / Math.min(input.width, input.height)
  const width = side(input.width * scale)
  const height = side(input.height * scale)
  return {
    name: `${shortSide}p`,
    width,
    height,
    trackType:
      input.protection === 'multi-drm'
        ? trackTypeByPixels({ width, height })
        : videoTrackType(shortSide),
    ...ENCODER_SETTINGS[input.mode ?? 'speed'],
    maxrateBps: maxrateKbps * 1000,
    bufsizeBits: maxrateKbps * 2000,
  }
}

/** How many times the long side is longer than the short one. */
const shapeOf = ({ width, height }: LadderInput): number =>
  Math.max(width, height) / Math.min(width, height)

/** Sides are even, so the shape of a picture whose short side would have less than two pixels is not kept. */
const evenDown = (pixels: number): number => Math.max(2, Math.floor(pixels / 2) * 2)

const side = (pixels: number): number => Math.min(LONGEST_SIDE, Math.round(pixels / 2) * 2)
