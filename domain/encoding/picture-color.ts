import type { PictureColor } from '../ingest/source-facts.ts'

/** What a file states of its colours, in the words of ffprobe; an empty text or `unknown` if it states nothing. */
export interface StatedColor {
  /** Stored size in pixels. */
  width: number
  height: number
  pixelFormat: string
  matrix: string
  primaries: string
  transfer: string
}

/** Matrices that browsers show as they are, with the primaries and the transfer that belong to them. */
const KEPT: Record<string, { primaries: string; transfer: string }> = {
  bt709: { primaries: 'bt709', transfer: 'bt709' },
  smpte170m: { primaries: 'smpte170m', transfer: 'smpte170m' },
  bt470bg: { primaries: 'bt470bg', transfer: 'smpte170m' },
}
/** Other matrices that ffmpeg can convert to BT.709, by the name that its scaler gives them. */
const CONVERTED: Record<string, string> = {
  fcc: 'fcc',
  smpte240m: 'smpte240m',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
}
const SD_LONG_SIDE = 1024
const PAL_SHORT_SIDE = 576
const NTSC_SHORT_SIDE = 486

/**
 * Returns how the pixels of a source are to be read, and the tags of its encodes. A source without tags, or of RGB,
 * has the matrix of its size: BT.601 for standard definition, BT.709 above (ITU-R BT.601 and BT.709). Wide gamuts and
 * old matrices become BT.709.
 */
export function pictureColor(stated: StatedColor): PictureColor {
  const { matrix, primaries } = stated
  const sourcePrimaries = primaries === 'bt2020' ? primaries : null
  const converted = CONVERTED[matrix]
  if (sourcePrimaries !== null || converted !== undefined)
    return { sourceMatrix: converted ?? 'bt709', sourcePrimaries, ...tagsOf('bt709') }
  const known = matrix in KEPT ? matrix : matrixOfSize(stated)
  const tags = tagsOf(known)
  return {
    sourceMatrix: known,
    sourcePrimaries,
    ...tags,
    primaries: primaries in PRIMARIES ? primaries : tags.primaries,
  }
}

const PRIMARIES = { bt709: true, smpte170m: true, bt470bg: true }

const tagsOf = (matrix: string): { matrix: string; primaries: string; transfer: string } => ({
  matrix,
  ...(KEPT[matrix] ?? { primaries: 'bt709', transfer: 'bt709' }),
})

function matrixOfSize({ width, height }: StatedColor): string {
  const [short, long] = [Math.min(width, height), Math.max(width, height)]
  if (short > PAL_SHORT_SIDE || long > SD_LONG_SIDE) return 'bt709'
  return short > NTSC_SHORT_SIDE ? 'bt470bg' : 'smpte170m'
}
