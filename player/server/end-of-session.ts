import type { SessionEnd } from '../../domain/playback-session.ts'
import { PlayerError } from './player-error.ts'

const MESSAGES: Record<SessionEnd, string> = {
  secret_rotated: 'The site has ended all playback; its page has to be loaded again.',
  video_deleted: 'The video is not there any more.',
  viewer_revoked: 'The site has ended playback for this viewer.',
  session_ended: 'This playback may not go on.',
}

/** What a session is told that may not go on. */
export const endOfSession = (end: SessionEnd): PlayerError =>
  new PlayerError(403, end, MESSAGES[end])
