import { mostPixels } from './fit-quality.ts'

/** Why automatic quality does not choose more. */
export type QualityLimit = 'trouble' | 'frame' | 'screen' | 'connection' | 'protection'

interface Rung {
  width: number | null
  height: number | null
}

/** What automatic quality considers. */
export interface QualityFacts {
  rungs: readonly Rung[]
  /** In device pixels. */
  frame: { width: number; height: number }
  isFullScreen: boolean
  /** True if the device may not show some rungs of the video. */
  hasObstacles: boolean
  /** True if a better rung is left out for a while, after dropped frames or failed segments. */
  hasTrouble: boolean
}

/** Returns why automatic quality plays no more than `active`; null if that is the best rung. */
export function whyNotMore(
  active: Rung,
  { rungs, frame, isFullScreen, hasObstacles, hasTrouble }: QualityFacts,
): QualityLimit | null {
  const pixels = pixelsOf(active)
  if (rungs.every((rung) => pixelsOf(rung) <= pixels)) return hasObstacles ? 'protection' : null
  if (pixels < mostPixels(rungs, frame)) return hasTrouble ? 'trouble' : 'connection'
  return isFullScreen ? 'screen' : 'frame'
}

const pixelsOf = ({ width, height }: Rung): number => (width ?? 0) * (height ?? 0)
