import type { VideoStatus } from '../videos/video-state.ts'
import { HEARTBEAT_SECONDS } from './concurrent-plays.ts'

/** How often players of a process send something, from `least` to `most` seconds. */
interface PaceLimits {
  least: number
  most: number
  /** How many a process receives in a second before the players wait longer, up to `most`. */
  perSecond: number
}

/** Of a video of which more is being published. */
const INCOMPLETE: PaceLimits = { least: 5, most: HEARTBEAT_SECONDS, perSecond: 8 }
/** Of what plays of a video that is prepared: a read that writes nothing. */
const PREPARATION: PaceLimits = { least: 2, most: 5, perSecond: 400 }
/** The shortest interval of a reader whose part is being encoded: the first frame waits for a read. */
const SOON_SECONDS = 0.5
/** Players that were told the same time spread over this part of it. */
const JITTER = 0.02
/** The time of which the viewers of a process are counted. */
const MEMORY_SECONDS = 60

/** When the players of a process send their next heartbeats, and read again what plays. */
export interface ViewerPace {
  /** Seconds until the next heartbeat of a viewer. One who waits for the start of the video records nothing. */
  heartbeat(viewer: { status: VideoStatus; isWaiting: boolean }, nowMs: number): number
  /** Seconds until the next read of what plays. `isSoon` if the part for which the viewer waits is being encoded. */
  read(viewer: { isSoon: boolean }, nowMs: number): number
}

/** Opens the pace of a process. `random` returns a number from 0 to 1. */
export function createViewerPace(random: () => number = Math.random): ViewerPace {
  const incomplete = createLoad(INCOMPLETE)
  const reads = createLoad(PREPARATION)
  const spread = (seconds: number): number =>
    Math.round(seconds * (1 - JITTER * random()) * 10) / 10
  return {
    heartbeat: ({ status, isWaiting }, nowMs) =>
      spread(status === 'ready' || isWaiting ? HEARTBEAT_SECONDS : incomplete(nowMs)),
    read: ({ isSoon }, nowMs) => spread(reads(nowMs, isSoon ? SOON_SECONDS : PREPARATION.least)),
  }
}

/**
 * Returns a function that returns the interval of the next player. It counts the viewers: each one that was told a time is one for so
 * long. Older ones fade, so the count follows a crowd within seconds, and forgets it within minutes.
 */
function createLoad({ least: usual, most, perSecond }: PaceLimits) {
  let toldSeconds = 0
  let atMs = 0
  return (nowMs: number, least: number = usual): number => {
    const elapsedSeconds = Math.max(0, nowMs - atMs) / 1000
    toldSeconds *= Math.exp(-elapsedSeconds / MEMORY_SECONDS)
    atMs = Math.max(atMs, nowMs)
    const viewers = toldSeconds / MEMORY_SECONDS
    const seconds = Math.min(most, Math.max(least, viewers / perSecond))
    toldSeconds += seconds
    return seconds
  }
}
