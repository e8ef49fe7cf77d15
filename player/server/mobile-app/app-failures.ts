import type { Request, Response } from 'express'
import type { PlaybackCause } from '../../../domain/playback-reports/playback-causes.ts'
import type { ServerContext } from '../deps.ts'
import { isAppPath } from '../paths.ts'
import { noteRefusal } from '../playback-reports/note-refusal.ts'
import type { PlayerError } from '../player-error.ts'

/** The causes of errors that have another name, or that do not belong to the app alone. */
const CAUSES: Record<string, PlaybackCause> = {
  video_not_found: 'not_found',
  viewer_token_required: 'token_missing',
  too_many_requests: 'rate_limited',
  viewer_revoked: 'viewer_revoked',
  video_failed: 'video_failed',
  invalid_link: 'invalid_link',
  app_playback_off: 'app_playback_off',
  multi_drm_required: 'multi_drm_required',
  invalid_challenge: 'invalid_challenge',
  attestation_required: 'attestation_required',
  attestation_refused: 'attestation_refused',
  unknown_attestation_key: 'unknown_attestation_key',
  video_not_ready: 'video_not_ready',
  internal_error: 'internal_error',
  service_unavailable: 'service_unavailable',
}

/** The code of the report of an error of the mobile app; nothing for the errors of other scripts. */
export function appReportCode(
  context: ServerContext,
  request: Request,
  response: Response,
  { code, failure }: PlayerError,
): { report_code?: string } {
  if (!isAppPath(request.path)) return {}
  const cause = failure ?? CAUSES[code] ?? 'invalid_request'
  return { report_code: noteRefusal(context, response, cause) }
}
