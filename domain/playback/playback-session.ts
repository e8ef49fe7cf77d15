import { readMeasures, type ReportedMeasures } from '../audience/reported-measures.ts'

/** The claims of a playback session's signed token. */
export interface PlaybackSession {
  /** A UUID. */
  sessionId: string
  videoId: string
  accountId: number
  /** Verified by the server; null for playback without a viewer token. */
  viewerId: string | null
  /** True for a member of the account who watches in the dashboard. The limit of plays is not for members. */
  isMember?: boolean
  /** Rotating the signing secret ends the session at its next renewal. */
  secretVersion: number
  /** Host of the embedding site; null if unknown. At most 253 characters. */
  refererHost: string | null
  /** When the page was sent. */
  startedAtMs: number
}

/** Why a session may not continue. These are the error codes that the player gets. */
export const SESSION_ENDS = [
  'secret_rotated',
  'video_deleted',
  'video_failed',
  'viewer_revoked',
  'too_many_streams',
  'session_ended',
] as const

export type SessionEnd = (typeof SESSION_ENDS)[number]

/** What a player reports about its session. A missing or invalid value is null. */
export interface PlaybackReport {
  positionMs: number | null
  watchedMs: number | null
  bytesLoaded: number | null
  /** What was shown, and how well; absent if nothing is reported. */
  measures?: ReportedMeasures
  /** The page closes: the session needs its lease no longer. */
  isLeaving?: boolean
  /** Nothing of the video has played yet, because it is still being prepared. */
  isWaiting?: boolean
}

const POSITION_MAX_SECONDS = 7 * 86_400
/** A day at 200 Mbit/s. */
const BYTES_MAX = 2 ** 41
const TOLERANCE_MS = 10_000
/** Videos can be played at double speed. The rest allows for clocks and network delays. */
const WATCHED_PER_ELAPSED = 4

/**
 * Reads the untrusted body of a heartbeat. A value that is not a number within its bounds becomes null.
 * Watched time is limited to four times the sum of `elapsedMs`, the age of the session, and ten seconds.
 */
export function readPlaybackReport(body: unknown, elapsedMs: number): PlaybackReport {
  const values = new Map(Object.entries(Object(body)))
  const positionMs = milliseconds(values.get('position_seconds'))
  const watchedMs = milliseconds(values.get('watched_seconds'))
  const elapsedMaxMs = Math.max(0, elapsedMs) + TOLERANCE_MS
  const watchedMaxMs = elapsedMaxMs * WATCHED_PER_ELAPSED
  const bytes = within(values.get('bytes_loaded'), BYTES_MAX)
  const measures = readMeasures(values, { elapsedMaxMs, playedMaxMs: watchedMaxMs })
  return {
    positionMs,
    watchedMs: watchedMs === null ? null : Math.min(watchedMs, Math.round(watchedMaxMs)),
    bytesLoaded: bytes === null ? null : Math.trunc(bytes),
    ...(measures && { measures }),
    ...(values.get('is_leaving') === true && { isLeaving: true }),
    ...(values.get('is_waiting') === true && { isWaiting: true }),
  }
}

function milliseconds(value: unknown): number | null {
  const seconds = within(value, POSITION_MAX_SECONDS)
  return seconds === null ? null : Math.round(seconds * 1000)
}

const within = (value: unknown, max: number): number | null =>
  typeof value === 'number' && value >= 0 && value <= max ? value : null

const START_MS = 10_000
const END_MS = 15_000
const END_SHARE = 0.05

/**
 * Returns where a video resumes for a viewer who left it at `positionMs`, in whole seconds. Returns null,
 * for a restart from the beginning, in the first 10 s and in the last 15 s or 5 %, whichever is longer.
 * A duration of null is not known yet.
 */
export function resumeSeconds(positionMs: number | null, durationMs: number | null): number | null {
  if (positionMs === null || positionMs < START_MS) return null
  if (durationMs !== null) {
    const endMs = Math.max(END_MS, durationMs * END_SHARE)
    if (positionMs > durationMs - endMs) return null
  }
  return Math.floor(positionMs / 1000)
}
