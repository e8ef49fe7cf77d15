/** The claims of a playback session's signed token. */
export interface PlaybackSession {
  /** A UUID. */
  sessionId: string
  videoId: string
  accountId: number
  /** Verified by the server; null for playback without a viewer token. */
  viewerId: string | null
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
  'viewer_revoked',
  'session_ended',
] as const

export type SessionEnd = (typeof SESSION_ENDS)[number]
