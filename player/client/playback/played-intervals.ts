/** What was shown between two looks at a video. */
export interface Played {
  /** Positions in seconds. */
  from: number
  to: number
  /** Media seconds in a second. */
  rate: number
  /** How long that took. */
  seconds: number
  /** When it ended, by `performance.now`. */
  nowMs: number
}

interface Looks {
  /** Called with what was shown since the last look. */
  onPlayed: (played: Played) => void
  /** Called when the position has changed by more than playback and small corrections do. */
  onJump: () => void
  /** Called at each look, after the others. */
  onLook: () => void
}

const EVENTS = 'timeupdate play playing pause waiting ratechange seeking seeked ended emptied'
/** `timeupdate` comes four times a second, and in a hidden tab once. A longer time without a look was spent asleep. */
const LONGEST_SECONDS = 2
const TOLERANCE_SECONDS = 0.5
/** The position before a seek is not known: since the last look, so much has played at most. */
const UNSEEN_SECONDS = 0.25
/** Shaka Player moves a playhead that hangs by less, and puts it back after a load. */
const CORRECTION_SECONDS = 0.5

/** What the last look saw. */
interface Look {
  atMs: number
  place: number
  /** 0 while Shaka Player buffers. */
  rate: number
  isPlaying: boolean
}

/**
 * Follows what is shown of a video: the positions between two looks at it, if they are no further apart than playback
 * leads and no seek was made. Returns a function that looks now.
 */
export function followPlayed(video: HTMLVideoElement, looks: Looks): () => void {
  let last: Look | null = null
  let leftPlace = 0
  const report = ({ atMs, place, rate }: Look, to: number, nowRate: number): void => {
    const nowMs = performance.now()
    const seconds = Math.min((nowMs - atMs) / 1000, LONGEST_SECONDS)
    const most = seconds * Math.max(rate, nowRate) + TOLERANCE_SECONDS
    const moved = to - place
    if (moved <= 0 || moved > most) return
    const playedAt = rate || nowRate || 1
    looks.onPlayed({ from: place, to, rate: playedAt, seconds: moved / playedAt, nowMs })
  }
  const leavePlace = (): void => {
    if (!last) return
    const { atMs, place, rate, isPlaying } = last
    last = null
    const seconds = Math.min((performance.now() - atMs) / 1000, UNSEEN_SECONDS)
    const end = Math.min(place + seconds * rate, video.duration || Infinity)
    if (isPlaying) report({ atMs, place, rate, isPlaying }, end, rate)
    leftPlace = end
  }
  const look = (event?: Event): void => {
    const { currentTime: place, playbackRate: rate, paused, readyState } = video
    const kind = event?.type
    if (video.seeking || kind === 'seeking' || kind === 'emptied') {
      leavePlace()
      if (Math.abs(place - leftPlace) > CORRECTION_SECONDS) looks.onJump()
    } else {
      if (last) report(last, place, rate)
      const isPlaying = !paused && rate > 0 && readyState > HTMLMediaElement.HAVE_CURRENT_DATA
      last = { atMs: performance.now(), place, rate, isPlaying }
    }
    looks.onLook()
  }
  for (const event of EVENTS.split(' ')) video.addEventListener(event, look)
  return () => look()
}
