import type { PlaybackCause } from '../../../domain/playback-reports/playback-causes.ts'
import type { EmbedDecision } from '../../../domain/playback/embed-access.ts'
import { PlayerError } from '../player-error.ts'

/** The refusals of the mobile app: status and message by code. */
export const APP_ERRORS = {
  invalid_request: [400, 'The body lacks a field, or has one that is not valid.'],
  invalid_link: [400, 'The link is not one that opens the app.'],
  app_playback_off: [404, 'This installation has no mobile app.'],
  video_not_found: [404, 'There is no such video.'],
  viewer_token_required: [403, 'The link has no viewer token, or it has expired or is not valid.'],
  viewer_revoked: [403, 'The site has withdrawn access from this viewer.'],
  multi_drm_required: [403, 'The app plays only videos that are protected by Multi-DRM.'],
  invalid_challenge: [403, 'The challenge has expired, was used, or is for another link.'],
  attestation_required: [403, 'The app must attest itself.'],
  attestation_refused: [403, 'The attestation is not valid.'],
  unknown_attestation_key: [403, 'The key is not known here. The app attests a new one.'],
  video_not_ready: [409, 'The video is still being prepared. Try again in a few seconds.'],
  too_many_requests: [
    429,
    'Too many requests of this network. Retry-After says when to try again.',
  ],
  video_failed: [409, 'The video could not be processed.'],
} as const

export type AppErrorCode = keyof typeof APP_ERRORS

/** `failure` is why the video does not play, if that is more precise than the code. */
export function appError(code: AppErrorCode, failure?: PlaybackCause): PlayerError {
  const [status, message] = APP_ERRORS[code]
  return new PlayerError(status, code, message, failure)
}

type TokenReason = Extract<EmbedDecision, { kind: 'token_required' }>['reason']

const TOKEN_CAUSES: Record<TokenReason, PlaybackCause> = {
  missing: 'token_missing',
  expired: 'token_expired',
  forged: 'token_forged',
  exp_in_milliseconds: 'exp_in_milliseconds',
  revoked: 'viewer_revoked',
}

/** The refusal for a viewer token. */
export const tokenError = (reason: TokenReason): PlayerError =>
  appError(reason === 'revoked' ? 'viewer_revoked' : 'viewer_token_required', TOKEN_CAUSES[reason])
