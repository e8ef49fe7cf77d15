import type { VideoErrorCode } from '../../../../../domain/videos/video-failures.ts'
import type { Words } from '../../../locales/en.ts'

type Failure = keyof Words['video']['failures']

/** Why a video failed, by its code. */
const FAILURES: Partial<Record<string, Failure>> = {
  invalid_source_url: 'link',
  source_not_allowed: 'link',
  source_unreachable: 'link',
  too_many_redirects: 'link',
  unsupported_source_type: 'file',
  unreadable_file: 'file',
  unsupported_container: 'file',
  no_video_stream: 'audio',
  nothing_decodable: 'file',
  encrypted_source: 'file',
  source_damaged: 'file',
  unsupported_dolby_vision: 'colors',
  source_too_large: 'large',
  video_too_large: 'large',
  insufficient_storage: 'plan',
  encoding_failed: 'tool',
  packaging_failed: 'tool',
  verification_failed: 'tool',
  tool_failed: 'tool',
  stalled: 'tool',
  drm_provider_refused: 'keys',
  drm_provider_unavailable: 'keys',
  drm_signalling_mismatch: 'keys',
  cancelled: 'cancelled',
  internal_error: 'internal',
} satisfies Record<VideoErrorCode, Failure>

/** Returns in plain words why a video failed and what to do next. */
export const failureText = (code: string, { video }: Words): string =>
  video.failures[FAILURES[code] ?? 'internal']
