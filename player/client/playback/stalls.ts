/** Shorter ones are not seen: the spinner comes later. */
const SHORTEST_MS = 300

/** The interruptions by buffering. */
export interface Stalls {
  /** To call when something was shown. */
  played(): void
  /** To call after a seek or a load: what is waited for then is no stall. */
  jumped(): void
  look(): void
  /** Returns how many there were, and their time in seconds. */
  totals(): { count: number; seconds: number }
}

/** Counts the interruptions of a video by buffering, after its first frame. */
export function countStalls(video: HTMLVideoElement): Stalls {
  let hasPlayed = false
  let sinceMs: number | null = null
  let count = 0
  let seconds = 0
  const totals = (): { count: number; seconds: number } => {
    const lengthMs = sinceMs === null ? 0 : performance.now() - sinceMs
    const isSeen = lengthMs >= SHORTEST_MS
    return { count: count + Number(isSeen), seconds: seconds + (isSeen ? lengthMs / 1000 : 0) }
  }
  const end = (): void => {
    ;({ count, seconds } = totals())
    sinceMs = null
  }
  return {
    totals,
    played: () => void (hasPlayed = true),
    jumped() {
      hasPlayed = false
      end()
    },
    look() {
      // While it buffers, Shaka Player sets the rate to 0, and `readyState` does not change.
      const isStuck =
        video.playbackRate === 0 || video.readyState <= HTMLMediaElement.HAVE_CURRENT_DATA
      if (!hasPlayed || video.paused || video.ended || !isStuck) end()
      else sinceMs ??= performance.now()
    },
  }
}
