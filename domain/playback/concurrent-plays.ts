import type { VideoStatus } from '../videos/video-state.ts'

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
