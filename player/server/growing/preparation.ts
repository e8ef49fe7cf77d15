import { isBeingEncoded, msUntilReady } from '../../../domain/videos/preparation.ts'
import type { Preparation } from '../../player-data.ts'
import type { ObservedVideo } from './growing-videos.ts'

/** Returns the response to a viewer at a position of a video whose first rung is not complete. */
export function preparationOf(observed: ObservedVideo | null, positionMs: number): Preparation {
  const { ready = [], outline = null, parts = [], playheads = [] } = observed ?? {}
  const leftMs = outline && msUntilReady({ outline, ready, parts, playheads, positionMs })
  return {
    ready: ready.map(({ startMs, endMs }) => [startMs / 1000, endMs / 1000]),
    duration: outline && outline.durationMs / 1000,
    seconds_left: leftMs === null ? null : Math.ceil(leftMs / 1000),
    renditions: outline ? 1 + outline.audio.length : 0,
  }
}

/** Returns whether the viewer at a position waits for a part on which an encoder is at work. */
export const isSoon = ({ outline, ready, parts }: ObservedVideo, positionMs: number): boolean =>
  outline !== null && isBeingEncoded({ outline, ready, parts }, positionMs)
