import type { PlaybackSession } from '../../domain/playback/playback-session.ts'
import type { SigningKeys } from '../hmac.ts'
import { openTicket, sealTicket, type MasterKeys } from '../sealing/sealing.ts'
import { verifySession } from './session-token.ts'

const CONTEXT = 'playlist-ticket'
/** A sealed session token of the greatest length. */
const MAX_LENGTH = 1500
/** No session lasts longer. */
const SESSION_MAX_MS = 24 * 3_600_000

/** What opens tickets: they are sealed, and the session in them is signed. */
export interface PlaylistKeys {
  masterKeys: MasterKeys
  sessionKeys: SigningKeys
}

/**
 * Seals the token of a session for the addresses of its HLS playlists. The ticket is no session token: it opens
 * nothing else, and shows neither the viewer nor the token.
 */
export const sealPlaylistTicket = (masterKeys: MasterKeys, sessionToken: string): string =>
  sealTicket(masterKeys, sessionToken, CONTEXT)

/**
 * Opens a ticket. `isFresh` is true as long as the session token in it is valid; afterwards the ticket is valid
 * only while the session is renewed. Returns null if it is not genuine, or older than any session.
 */
export function openPlaylistTicket(
  { masterKeys, sessionKeys }: PlaylistKeys,
  ticket: string,
  nowMs: number,
): { session: PlaybackSession; isFresh: boolean } | null {
  if (ticket.length > MAX_LENGTH) return null
  const token = openTicket(masterKeys, ticket, CONTEXT) ?? ''
  const session = verifySession(token, sessionKeys, nowMs, SESSION_MAX_MS)
  return session && { session, isFresh: verifySession(token, sessionKeys, nowMs) !== null }
}
