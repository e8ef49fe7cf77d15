import type { EncodeMode } from '../ingest/encode-mode.ts'
import type { SourceFacts } from '../ingest/source-facts.ts'
import { framesPerSecond } from '../videos/rendition.ts'
import { gopFrames, type Chunk, type ChunkPlan } from './chunks.ts'
import type { Rung } from './ladder.ts'

/** How an encode of a piece compares with its source, in the size of the rung. */
export interface Score {
  sizeBytes: number
  /** -10 · log10(1 - SSIM) of the brightness. */
  ssimDb: number
  /** Of the brightness. */
  psnrDb: number
}

/** The trial encodes of one rung, one score for each piece of the video. */
export interface RungSample {
  name: string
  /** With the rung's own CRF. */
  fine: Score[]
  /** With `coarseCrf`. */
  coarse: Score[]
  /** The SSIM of the next lower rung in the size of this one, in decibels; empty for the lowest. */
  fromBelowDb: number[]
}

/** How far the CRF of a video may rise; even an easy video keeps fine detail and dark gradients. */
const CRF_RANGE = 4
const CRF_STEP = 0.5
/** SSIM 0.985. A video that exceeds both targets has quality that no viewer sees. */
const TARGET_SSIM_DB = 18.24
/** Keeps letters and dark gradients, which SSIM rates too high. */
const TARGET_PSNR_DB = 40
/** Where the rate cap binds, as on grain, a higher CRF may cost no more than this. */
const UNSEEN_LOSS_DB = 0.3
/** A rung that is better than the one below it by less than this brings nothing. */
const LEAST_GAIN_DB = 0.5
/** SSIM 0.992: a rung below that reaches this in the size of the next one looks the same. */
const SAME_SSIM_DB = 21
/** A rung with nearly the bytes of the one above it helps no slow connection. */
const MOST_OF_NEXT = 0.95

/** Short pieces that are encoded for trial, each of two seconds. */
const PIECES = 3
/** The trials encode twelve seconds of video: about 5 % of the encode of a video of this length. */
const SAMPLED_FROM_MS = 5 * 60_000

/** True if trial encodes can save more than they cost, and pieces of the video can be encoded by themselves. */
export const isWorthSampling = (
  mode: EncodeMode | undefined,
  { durationMs }: SourceFacts,
  rungs: readonly Rung[],
  chunks: ChunkPlan,
): boolean =>
  mode === 'quality' && rungs.length > 1 && chunks.count > 1 && (durationMs ?? 0) >= SAMPLED_FROM_MS

/** Returns the pieces of a video that are encoded for trial, evenly spread. */
export function piecesOf(video: { frameRate: string }, durationMs: number): Chunk[] {
  const gop = gopFrames(video.frameRate)
  const gops = Math.floor((durationMs * framesPerSecond(video.frameRate)) / 1000 / gop)
  return Array.from({ length: PIECES }, (_, index) => {
    const startFrame = Math.floor((gops * (index + 0.5)) / PIECES) * gop
    return { index: index + 1, startFrame, endFrame: startFrame + gop, firstSegment: 1 }
  })
}

/** The CRF of the second trial of a rung. */
export const coarseCrf = ({ crf }: Rung): number => crf + CRF_RANGE

/**
 * Returns the ladder with the CRF that each rung needs, without rungs that bring nothing. The CRF rises as long as
 * every piece meets both targets or loses nothing that is seen, so that no rung gets more bytes than before. The
 * first rung is already being encoded and stays as it is. The largest stays too: pieces do not show the whole video.
 */
export function chooseRungs(ladder: readonly Rung[], samples: readonly RungSample[]): Rung[] {
  const [first] = ladder
  const dropped = droppedNames(ladder, samples)
  return ladder
    .filter(({ name }) => !dropped.includes(name))
    .map((rung) => {
      const sample = samples.find(({ name }) => name === rung.name)
      return rung === first || !sample ? rung : { ...rung, crf: neededCrf(rung, sample) }
    })
}

function neededCrf({ crf }: Rung, { fine, coarse }: RungSample): number {
  for (let rise = CRF_RANGE; rise > 0; rise -= CRF_STEP) {
    const isGood = fine.every((score, piece) =>
      isEnough(score, between(score, coarse[piece] ?? score, rise / CRF_RANGE)),
    )
    if (isGood) return crf + rise
  }
  return crf
}

/** Decibels fall evenly with the CRF. */
const between = (fine: Score, coarse: Score, part: number): Omit<Score, 'sizeBytes'> => ({
  ssimDb: fine.ssimDb + part * (coarse.ssimDb - fine.ssimDb),
  psnrDb: fine.psnrDb + part * (coarse.psnrDb - fine.psnrDb),
})

function isEnough(fine: Score, { ssimDb, psnrDb }: Omit<Score, 'sizeBytes'>): boolean {
  const meetsTargets = ssimDb >= TARGET_SSIM_DB && psnrDb >= TARGET_PSNR_DB
  const losses = [fine.ssimDb - ssimDb, fine.psnrDb - psnrDb]
  return meetsTargets || losses.every((loss) => loss <= UNSEEN_LOSS_DB)
}

/** Never two neighbours, because each is compared with the next one. */
function droppedNames(ladder: readonly Rung[], samples: readonly RungSample[]): string[] {
  const bySize = ladder.toSorted((a, b) => a.height - b.height)
  const dropped: string[] = []
  for (const [index, rung] of bySize.entries()) {
    const [below, above] = [bySize[index - 1], bySize[index + 1]]
    if (rung === ladder[0] || !above || (below && dropped.includes(below.name))) continue
    const [own, next] = [rung, above].map(({ name }) => samples.find((one) => one.name === name))
    if (own && next && (isNoBetter(own) || isNoSmaller(own, next))) dropped.push(rung.name)
  }
  return dropped
}

const isNoBetter = ({ fine, fromBelowDb }: RungSample): boolean =>
  fromBelowDb.length > 0 &&
  fromBelowDb.every((belowDb, piece) => {
    const gainDb = (fine[piece]?.ssimDb ?? Infinity) - belowDb
    return belowDb >= SAME_SSIM_DB || gainDb < LEAST_GAIN_DB
  })

const isNoSmaller = (own: RungSample, next: RungSample): boolean =>
  totalBytes(own.fine) >= MOST_OF_NEXT * totalBytes(next.fine)

const totalBytes = (scores: Score[]): number =>
  scores.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
