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
const TOLERANCE_SECONDS = 0.5
/** Where the playhead was before a seek is not known. `timeupdate` comes four times a second, so it has moved for that time at most. */
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
 * leads and no seek was made. However much time has passed: a page that is busy plays on, and one that is stopped does not.
 * Returns a function that looks now.
 */
export function followPlayed(video: HTMLVideoElement, looks: Looks): () => void {
  let last: Look | null = null
  let leftPlace = 0
  const report = ({ atMs, place, rate }: Look, to: number): void => {
    const nowMs = performance.now()
    const playedAt = rate || video.playbackRate || 1
    const most = ((nowMs - atMs) / 1000) * Math.max(rate, video.playbackRate) + TOLERANCE_SECONDS
    const moved = to - place
    if (moved > 0 && moved <= most)
      looks.onPlayed({ from: place, to, rate: playedAt, seconds: moved / playedAt, nowMs })
  }
  const leavePlace = (look: Look): void => {
    const seconds = Math.min((performance.now() - look.atMs) / 1000, UNSEEN_SECONDS)
    leftPlace = Math.min(look.place + seconds * look.rate, video.duration || Infinity)
    if (look.isPlaying) report(look, leftPlace)
  }
  const look = (event?: Event): void => {
    const { currentTime: place, playbackRate: rate, paused, readyState } = video
    const before = last
    last = null
    if (video.seeking || event?.type === 'seeking' || event?.type === 'emptied') {
      if (before) leavePlace(before)
      if (Math.abs(place - leftPlace) > CORRECTION_SECONDS) looks.onJump()
    } else {
      if (before) report(before, place)
      const isPlaying = !paused && rate > 0 && readyState > HTMLMediaElement.HAVE_CURRENT_DATA
      last = { atMs: performance.now(), place, rate, isPlaying }
    }
    looks.onLook()
  }
  for (const event of EVENTS.split(' ')) video.addEventListener(event, look)
  return () => look()
}
