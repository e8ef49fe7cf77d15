/** An entry of the error registry: the HTTP status, type and default message of a code. */
export interface ErrorEntry {
  status: number
  type:
    | 'authentication_error'
    | 'invalid_request_error'
    | 'conflict_error'
    | 'rate_limit_error'
    | 'api_error'
  message: string
  /** The status if the id was sent in a body, for codes with two statuses. */
  bodyStatus?: number
}

/**
 * All error codes of /v1: those of the contract (contract, "Errors") and those that it leaves
 * open. Integrators test the code, so entries are never renamed. Callers can replace the message
 * with a more precise one.
 */
export const API_ERRORS = {
  missing_api_key: auth(401, 'No API key was sent. Send Authorization: Bearer <API_KEY>.'),
  invalid_api_key: auth(401, 'The API key is unknown or revoked.'),
  insufficient_scope: auth(403, 'The API key does not have the scope that this call requires.'),
  rate_limited: {
    status: 429,
    type: 'rate_limit_error',
    message: 'The API key has used up its requests. Try again after Retry-After seconds.',
  },
  invalid_json: invalid(400, 'The request body is not valid JSON.'),
  invalid_request: invalid(400, 'The request could not be read.'),
  unknown_parameter: invalid(400, 'The request has a field that this endpoint does not accept.'),
  invalid_parameter: invalid(422, 'A field of the request is missing or has an invalid value.'),
  unsupported_media_type: invalid(
    415,
    'The body must be JSON: send Content-Type: application/json.',
  ),
  payload_too_large: invalid(413, 'The request body is larger than this operation accepts.'),
  route_not_found: invalid(404, 'There is nothing at this address.'),
  method_not_allowed: invalid(
    405,
    'This address does not accept that method; see the Allow header.',
  ),
  no_active_plan: invalid(422, 'The account has no active plan.'),
  drm_provider_not_configured: invalid(
    422,
    'The plan of the account is Multi-DRM, and the operator of this installation has not configured a DRM provider for both keys and licences.',
  ),
  insufficient_storage: invalid(422, 'The file is larger than the remaining storage of the plan.'),
  invalid_source_url: invalid(
    422,
    'The link must be a well-formed https URL on port 443 or 8443, at every redirect too.',
  ),
  source_not_allowed: invalid(
    422,
    'The host of the link, or of a redirect, is not a public address.',
  ),
  source_unreachable: invalid(422, 'The link did not respond to a HEAD request with a 2xx status.'),
  unsupported_source_type: invalid(422, 'The Content-Type of the link is not a video type.'),
  source_too_large: invalid(422, 'The file behind the link is too large.'),
  upload_not_found: invalid(404, 'There is no such upload in this account, or it has ended.'),
  upload_ended: conflict('The upload is complete, was cancelled or has expired.'),
  too_many_uploads: invalid(422, 'The account has as many unfinished uploads as it may have.'),
  import_not_found: invalid(404, 'There is no such import in this account.'),
  too_many_imports: invalid(422, 'The account has as many running imports as it may have.'),
  too_many_redirects: invalid(422, 'The link redirects more than 5 times.'),
  folder_not_found: {
    ...invalid(404, 'There is no such folder in this account.'),
    bodyStatus: 400,
  },
  folder_exists: conflict('A folder of that name already exists in the account.'),
  folder_not_empty: conflict('The folder still contains videos.'),
  too_many_folders: invalid(422, 'An account has at most 1,000 folders.'),
  invalid_caption: invalid(422, 'The caption is not valid WebVTT; the message names the line.'),
  caption_not_found: invalid(404, 'The video has no caption in that language.'),
  too_many_captions: invalid(422, 'A video has at most 100 captions.'),
  invalid_chapter_range: invalid(
    422,
    'A chapter ends after it starts, and not after the end of the video.',
  ),
  chapter_overlap: conflict('The chapter overlaps another chapter of the video.'),
  chapter_not_found: invalid(404, 'The video has no such chapter.'),
  too_many_chapters: invalid(422, 'A video has at most 500 chapters.'),
  external_id_taken: conflict('Another video of the account has this external id.'),
  query_too_broad: invalid(422, 'The search takes too long. Add a filter, or a narrower range.'),
  too_much_metadata: invalid(422, 'A video has at most 50 keys of metadata.'),
  video_not_ready: conflict('The video has no poster yet. Wait until it is ready.'),
  too_many_poster_uploads: conflict(
    'Ten uploaded posters of this account are still being prepared. Try again in a moment.',
  ),
  unsupported_picture: invalid(422, 'The file is not a JPEG, PNG or WebP picture.'),
  animated_picture: invalid(422, 'The picture is animated. A poster is a still picture.'),
  picture_too_large: invalid(422, 'The picture has more than 50 million pixels.'),
  picture_too_small: invalid(422, 'The longer side of the picture is below 320 pixels.'),
  moment_exists: conflict('A moment with that timestamp already exists on the video.'),
  moment_not_found: invalid(404, 'The video has no such moment.'),
  too_many_moments: invalid(422, 'A video has at most 500 moments.'),
  plan_not_found: invalid(404, 'The account has no plan.'),
  video_not_found: invalid(404, 'There is no such video in this account.'),
  invalid_report_code: invalid(
    422,
    'This is no code of a page that did not play: a character is wrong or missing.',
  ),
  event_not_found: invalid(404, 'There is no such event in this account.'),
  webhook_endpoint_not_found: invalid(404, 'There is no such webhook endpoint in this account.'),
  webhook_delivery_not_found: invalid(404, 'There is no such webhook delivery in this account.'),
  webhook_endpoint_inactive: conflict(
    'The webhook endpoint is switched off: set is_active to true first.',
  ),
  too_many_webhook_retries: conflict(
    'The webhook delivery was retried manually 20 times; its schedule continues.',
  ),
  webhook_replay_not_found: invalid(404, 'There is no such webhook replay in this account.'),
  webhook_replay_running: conflict('A replay of this account is still running.'),
  invalid_webhook_url: invalid(422, 'The webhook URL must be https on port 443 or 8443.'),
  webhook_url_not_allowed: invalid(
    422,
    'The webhook host does not resolve to public addresses only.',
  ),
  webhook_url_unreachable: invalid(422, 'The webhook host does not resolve.'),
  unknown_event_type: invalid(422, 'The events list names a type that cannot be subscribed to.'),
  too_many_webhook_endpoints: invalid(422, 'An account has at most 20 webhook endpoints.'),
  precondition_failed: {
    status: 412,
    type: 'conflict_error',
    message: 'The object has changed since the ETag in If-Match was read. Read it again.',
  },
  invalid_idempotency_key: invalid(400, 'An Idempotency-Key is 1 to 255 printable characters.'),
  idempotency_key_reused: invalid(422, 'This Idempotency-Key was used with another request body.'),
  idempotency_key_in_use: conflict('A request with this Idempotency-Key is still running.'),
  invalid_payment: invalid(
    400,
    'The payment notification is not signed by Stripe, or cannot be used.',
  ),
  internal_error: { status: 500, type: 'api_error', message: 'The service had an internal error.' },
  service_unavailable: { status: 503, type: 'api_error', message: 'Try again in a moment.' },
} as const satisfies Record<string, ErrorEntry>

/** The codes that only the addresses of uploads return. */
const UPLOAD_ERRORS = {
  upload_offset_mismatch: conflict('The bytes do not follow those that are stored.'),
  upload_size_mismatch: conflict('The file has another size than the upload.'),
  upload_origin_not_allowed: {
    status: 403,
    type: 'invalid_request_error',
    message: 'Pages of this site may not send this upload.',
  },
  upload_taken_over: conflict('Another request continues this upload.'),
} as const satisfies Record<string, ErrorEntry>

/** The codes that only the dashboard returns. */
export const DASHBOARD_ERRORS = {
  not_signed_in: auth(401, 'You are not signed in, or your session has ended.'),
  other_member: auth(401, 'Another member is signed in in this browser now.'),
  wrong_credentials: auth(401, 'The e-mail address or the password is wrong.'),
  too_many_guesses: {
    status: 429,
    type: 'rate_limit_error',
    message: 'There were too many failed attempts. Try again after Retry-After seconds.',
  },
  sign_in_busy: {
    status: 503,
    type: 'api_error',
    message: 'Too many passwords are being checked. Try again after Retry-After seconds.',
  },
  cross_site_request: auth(403, 'The request does not come from the dashboard.'),
  insufficient_role: auth(403, 'Your role in this account does not allow this.'),
  reauthentication_required: auth(403, 'Confirm that it is you: enter your password or passkey.'),
  account_not_found: invalid(404, 'There is no such account, or you are not a member of it.'),
  api_key_not_found: invalid(404, 'There is no such API key in this account.'),
  too_many_api_keys: invalid(
    422,
    'An account has at most 100 API keys that are not revoked. Revoke one that is not used.',
  ),
  invitation_not_found: invalid(404, 'The link is unknown, was used already, or has expired.'),
  too_many_invitations: invalid(
    422,
    'An account has at most 500 invitations that can still be accepted. Withdraw some, or wait until they are accepted.',
  ),
  sign_in_to_accept: conflict(
    'This e-mail address has a sign-in already: sign in with it, then open the link again.',
  ),
  member_exists: conflict(
    'This e-mail address has a member already, whose ways to sign in would be replaced.',
  ),
  member_not_found: invalid(404, 'There is no such member in this account.'),
  last_owner: conflict('The last owner of an account keeps the role.'),
  selection_changed: conflict(
    'The videos that match are not as many as you have seen. Look again before you confirm.',
  ),
  session_not_found: invalid(404, 'You have no such session.'),
  passkey_not_found: invalid(404, 'You have no such passkey.'),
  saved_view_not_found: invalid(404, 'You have no such view in this account.'),
  saved_view_exists: conflict('You have a view of that name in this account.'),
  too_many_saved_views: invalid(422, 'A member has at most 50 views in an account.'),
  revoked_viewer_not_found: invalid(404, 'The account has not revoked this viewer.'),
  record_store_not_found: invalid(404, 'The account has no learning record store.'),
  playback_session_not_found: invalid(404, 'No such playback session of this account plays now.'),
  source_was_uploaded: conflict('The file of this video was uploaded: upload it again.'),
  source_in_bucket: conflict(
    'The file of this video is an object of a bucket, which only an import opens: import it again.',
  ),
  video_not_failed: conflict('Only a failed video can be retried, as a new one.'),
  stale_settings: conflict('Someone else has changed these settings since you opened them.'),
  stale_edit: conflict('Someone else has changed this since you opened it.'),
} as const satisfies Record<string, ErrorEntry>

/** All error codes. */
export const ERRORS = {
  ...API_ERRORS,
  ...UPLOAD_ERRORS,
  ...DASHBOARD_ERRORS,
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS

function auth<const S extends number>(status: S, message: string) {
  return { status, type: 'authentication_error', message } as const
}

function invalid<const S extends number>(status: S, message: string) {
  return { status, type: 'invalid_request_error', message } as const
}

function conflict(message: string) {
  return { status: 409, type: 'conflict_error', message } as const
}
