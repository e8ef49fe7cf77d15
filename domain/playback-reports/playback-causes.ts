/**
 * Everything that keeps a video from playing and that a viewer sees, with the number that stands for it in a code. A code
 * is read out months later, so a number never changes and is never used again; new causes get the next one. The names are
 * those of the error codes, if they exist.
 */
export const PLAYBACK_CAUSES = {
  // Pages of the player host.
  malformed: 1,
  not_found: 2,
  direct_play_not_found: 3,
  rate_limited: 4,
  internal_error: 5,
  service_unavailable: 6,
  video_failed: 7,
  settings_changed: 8,
  no_referrer: 9,
  domain_blocked: 10,
  domain_not_allowed: 11,
  token_missing: 12,
  token_expired: 13,
  token_forged: 14,
  exp_in_milliseconds: 15,
  viewer_revoked: 16,
  open_app: 17,
  open_edge: 18,
  open_safari: 19,
  guidance: 20,
  no_hardware: 21,
  no_script: 22,
  // Messages of the player.
  no_encrypted_media: 30,
  sandboxed: 31,
  insecure: 32,
  unsupported: 33,
  licence_refused: 34,
  secret_rotated: 35,
  video_deleted: 36,
  too_many_streams: 37,
  session_ended: 38,
  network: 39,
  watermark_lost: 40,
  watermark: 41,
  failed: 42,
  drm_device_revoked: 43,
  drm_security_too_low: 44,
  drm_output_blocked: 45,
  drm_unavailable: 46,
  drm_expired: 47,
  drm_no_cdm: 48,
  // Errors of the mobile app.
  invalid_request: 60,
  invalid_link: 61,
  app_playback_off: 62,
  multi_drm_required: 63,
  invalid_challenge: 64,
  attestation_required: 65,
  attestation_refused: 66,
  unknown_attestation_key: 67,
  video_not_ready: 68,
} as const

export type PlaybackCause = keyof typeof PLAYBACK_CAUSES

export const isPlaybackCause = (text: string): text is PlaybackCause =>
  Object.hasOwn(PLAYBACK_CAUSES, text)

/** Returns the cause with a number; null if there is none. */
export function causeOfNumber(number: number): PlaybackCause | null {
  for (const [name, one] of Object.entries(PLAYBACK_CAUSES))
    if (one === number && isPlaybackCause(name)) return name
  return null
}

/** The causes that the player itself finds. No report of a player may have another one. */
export const PLAYER_CAUSES = [
  'no_encrypted_media',
  'sandboxed',
  'insecure',
  'unsupported',
  'licence_refused',
  'secret_rotated',
  'video_deleted',
  'video_failed',
  'viewer_revoked',
  'too_many_streams',
  'session_ended',
  'network',
  'watermark_lost',
  'watermark',
  'failed',
  'drm_device_revoked',
  'drm_security_too_low',
  'drm_output_blocked',
  'drm_unavailable',
  'drm_expired',
  'drm_no_cdm',
] as const satisfies readonly PlaybackCause[]

export type PlayerCause = (typeof PLAYER_CAUSES)[number]
