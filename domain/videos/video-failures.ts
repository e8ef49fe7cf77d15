import type { ErrorCode } from '../error-codes.ts'
import type { Failure, FailureTable } from '../failure-table.ts'

const FILE_REMEDY = 'Export the file again, check that it plays, and create a new video.'
const LINK_REMEDY = 'Correct the link, and create a new video.'
const OPERATOR_REMEDY =
  'Create the video again; if it fails again, ask the operator of the service.'

/** Why a source cannot be downloaded (contract, "Errors"): `egress/` and `activities/` find these. The API refuses such links with the same codes. */
export const SOURCE_FAILURES = {
  invalid_source_url: {
    cause: 'The link, or a redirect of it, is not an https URL on port 443 or 8443.',
    remedy: LINK_REMEDY,
  },
  source_not_allowed: {
    cause: 'The host of the link, or of a redirect, is not a public address.',
    remedy: 'Put the file on a public host, and create a new video.',
  },
  source_unreachable: {
    cause: 'Three attempts to download the link failed; the message says how the last one did.',
    remedy: 'Check that the link can be downloaded without signing in, and create a new video.',
  },
  unsupported_source_type: {
    cause: 'The Content-Type of the link is not that of a video.',
    remedy: 'Let the host send a type such as video/mp4, and create a new video.',
  },
  source_too_large: {
    cause: 'The file is larger than 20 GiB.',
    remedy: 'Export a smaller file, and create a new video.',
  },
  insufficient_storage: {
    cause: 'The source or the encoded video is larger than the storage that the plan has left.',
    remedy: 'Delete videos or choose a larger plan, and create a new video.',
  },
  too_many_redirects: {
    cause: 'The link redirects more than 5 times.',
    remedy: 'Send the link of the file itself, and create a new video.',
  },
} as const satisfies Partial<Record<ErrorCode, Failure>>

/** Why a file cannot be encoded: `media/` finds these. */
export const MEDIA_FAILURES = {
  unreadable_file: {
    cause: 'The file is damaged or incomplete.',
    remedy: FILE_REMEDY,
  },
  unsupported_container: {
    cause: 'The file is not a video file that can be read, or has more than 64 streams.',
    remedy: 'Export the video as MP4, and create a new video.',
  },
  no_video_stream: {
    cause: 'The file has no video track.',
    remedy:
      'Audio alone cannot be played: add a picture, such as a still image, and create a new video.',
  },
  nothing_decodable: {
    cause: 'The video track has no picture that can be decoded.',
    remedy: 'Export the video as H.264, and create a new video.',
  },
  encrypted_source: {
    cause: 'The file is encrypted.',
    remedy: 'Send a file without encryption.',
  },
  source_damaged: {
    cause: 'Too much of the picture is damaged or missing.',
    remedy: FILE_REMEDY,
  },
  video_too_large: {
    cause: 'The picture has too many pixels.',
    remedy: 'Export the video in a smaller size, and create a new video.',
  },
  unsupported_dolby_vision: {
    cause: 'The picture is in Dolby Vision without HDR10, HLG or SDR in it, such as profile 5.',
    remedy: 'Export the video in HDR10, HLG or SDR, and create a new video.',
  },
  encoding_failed: {
    cause: 'The picture or an audio track could not be encoded.',
    remedy: FILE_REMEDY,
  },
  packaging_failed: {
    cause: 'The encoded video could not be packaged, in ten attempts.',
    remedy: OPERATOR_REMEDY,
  },
  verification_failed: {
    cause: 'The encrypted video did not decrypt to what was encoded, in ten attempts.',
    remedy: OPERATOR_REMEDY,
  },
  tool_failed: {
    cause: 'A program that reads the file crashed on it ten times.',
    remedy: FILE_REMEDY,
  },
  stalled: {
    cause: 'A program that reads the file made no progress, in ten attempts.',
    remedy: FILE_REMEDY,
  },
} as const satisfies FailureTable

/**
 * Why the DRM provider gave no usable keys for a Multi-DRM video: `drm/` finds these. `drm_signalling_mismatch`: its pssh
 * boxes, PlayReady objects or HLS tags, or the packaged files, do not name the key that encrypts them.
 */
export const DRM_FAILURES = {
  drm_provider_refused: {
    cause: 'The DRM provider refused to make keys; the message says what was wrong.',
    remedy: 'Ask the operator of the service.',
  },
  drm_provider_unavailable: {
    cause: 'The DRM provider did not make keys for about twelve hours.',
    remedy: 'Create the video again later.',
  },
  drm_signalling_mismatch: {
    cause: 'What the DRM provider sent does not belong to its key.',
    remedy: 'Ask the operator of the service.',
  },
} as const satisfies FailureTable

/**
 * Why a video failed: its `error.code`. A code is added to one of the tables, and nowhere else: the types, the OpenAPI document
 * and `/docs/errors` follow.
 */
export const VIDEO_FAILURES = {
  ...SOURCE_FAILURES,
  ...MEDIA_FAILURES,
  ...DRM_FAILURES,
  cancelled: {
    cause: 'The operator of the service cancelled the processing.',
    remedy: OPERATOR_REMEDY,
  },
  internal_error: {
    cause: 'The video could not be processed because of a fault of the service.',
    remedy: OPERATOR_REMEDY,
  },
} as const satisfies FailureTable

export type VideoErrorCode = keyof typeof VIDEO_FAILURES
