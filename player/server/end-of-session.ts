import type { SessionEnd } from '../../domain/playback-session.ts'
import { PlayerError } from './player-error.ts'

const MESSAGES: Record<SessionEnd, string> = {
  secret_rotated: 'The site has renewed access to its videos. Its page has to be reloaded.',
  video_deleted: 'The video is no longer available.',
  viewer_revoked: 'The site has withdrawn access from this viewer.',
  session_ended: 'This playback session has ended.',
}

/** What a session is told that may not go on. */
export const endOfSession = (end: SessionEnd): PlayerError =>
  new PlayerError(403, end, MESSAGES[end])
