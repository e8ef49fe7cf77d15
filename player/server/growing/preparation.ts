import { readyRanges } from '../../../domain/playback/growing-video.ts'
import { isBeingEncoded, msUntilReady } from '../../../domain/videos/preparation.ts'
import type { Preparation } from '../../player-data.ts'
import type { ObservedVideo } from './growing-videos.ts'

/** Returns the response to a viewer at a position of a video whose first rung is not complete. */
export function preparationOf(observed: ObservedVideo | null, positionMs: number): Preparation {
  const { outline = null, parts = [], playheads = [] } = observed ?? {}
  const ready = readyOf(observed)
  const leftMs = outline && msUntilReady({ outline, ready, parts, playheads, positionMs })
  return {
    ready: ready.map(({ startMs, endMs }) => [startMs / 1000, endMs / 1000]),
    duration: outline && outline.durationMs / 1000,
    seconds_left: leftMs === null ? null : Math.ceil(leftMs / 1000),
    renditions: outline ? 1 + outline.audio.length : 0,
  }
}

/** Returns whether the viewer at a position waits for a part on which an encoder is at work. */
export function isSoon(observed: ObservedVideo, positionMs: number): boolean {
  const { outline, parts } = observed
  return (
    outline !== null && isBeingEncoded({ outline, ready: readyOf(observed), parts }, positionMs)
  )
}

const readyOf = (observed: ObservedVideo | null) =>
  observed?.tracks ? readyRanges(observed.tracks) : []
