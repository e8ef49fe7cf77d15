import type { VideoStatus } from '../videos/video-state.ts'

/** Which plays of a viewer go on when there are more than the limit: the newest or the oldest. */
export const PLAY_WINNERS = ['newest', 'oldest'] as const

type PlayWinner = (typeof PLAY_WINNERS)[number]

/** How many playback sessions one verified viewer may have at the same time. */
export interface ConcurrentPlays {
  /** Null: not limited. */
  limit: number | null
  winner: PlayWinner
}

export const CONCURRENT_PLAYS_MAX = 20

/** True for a limit that can be set. */
export const isPlaysLimit = (limit: number): boolean =>
  Number.isInteger(limit) && limit >= 1 && limit <= CONCURRENT_PLAYS_MAX

/** The security event of a session that was refused because other plays of its viewer have all the leases. */
export const OVER_LIMIT_EVENT = 'session_over_limit'

/** Players send a heartbeat at least this often. */
export const HEARTBEAT_SECONDS = 60

/** How often, while more of the video is being published. */
const HEARTBEAT_INCOMPLETE_SECONDS = 5

/** Returns after how many seconds at most a player sends its next heartbeat. */
export const nextHeartbeatSeconds = (status: VideoStatus): number =>
  status === 'ready' ? HEARTBEAT_SECONDS : HEARTBEAT_INCOMPLETE_SECONDS

/**
 * How long a lease lasts without a heartbeat. Browsers delay the timers of hidden pages to once a minute, so
 * heartbeats can be two minutes apart; one more would miss two.
 */
export const STREAM_LEASE_MS = 2.5 * HEARTBEAT_SECONDS * 1000
