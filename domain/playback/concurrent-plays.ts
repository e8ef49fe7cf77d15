/** The security event of a session that was refused because other plays of its viewer have all the leases. */
export const OVER_LIMIT_EVENT = 'session_over_limit'

/** Players send a heartbeat at least this often. */
export const HEARTBEAT_SECONDS = 60

/**
 * How long a lease lasts without a heartbeat. Browsers delay the timers of hidden pages to once a minute, so
 * heartbeats can be two minutes apart; one more would miss two.
 */
export const STREAM_LEASE_MS = 2.5 * HEARTBEAT_SECONDS * 1000
