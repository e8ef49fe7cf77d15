/** What a playback session is bound to, as its signed token tells it. */
export interface PlaybackSession {
  /** A UUID. */
  sessionId: string
  videoId: string
  accountId: number
  /** Server-verified; null for playback without a token. */
  viewerId: string | null
  /** A rotated signing secret ends the session at its next renewal. */
  secretVersion: number
  /** The site that framed the page; null where none was told. At most 253 characters. */
  refererHost: string | null
  /** When the page was sent. */
  startedAtMs: number
}

/** Why a session may not go on: the code of the refusal that the player is sent. */
export const SESSION_ENDS = [
  'secret_rotated',
  'video_deleted',
  'viewer_revoked',
  'session_ended',
] as const

export type SessionEnd = (typeof SESSION_ENDS)[number]
