import { SESSION_ENDS } from '../../../domain/playback/playback-session.ts'
import type { ShakaError } from '../playback/shaka.ts'
import { DRM_PROBLEMS, type MessageCode } from '../problems.ts'

/** Of Shaka Player's errors (`shaka.util.Error`). */
const DRM_CATEGORY = 6
const BAD_HTTP_STATUS = 1001
const TOO_MANY = 429
const RESTRICTIONS_CANNOT_BE_MET = 4012
const NO_RECOGNIZED_KEY_SYSTEMS = 6000
const KEY_SYSTEM_UNAVAILABLE = 6001
const FAILED_TO_CREATE_CDM = 6002
const FAILED_TO_GENERATE_LICENCE_REQUEST = 6006
const LICENCE_REQUEST_FAILED = 6007
const LICENCE_RESPONSE_REJECTED = 6008
const MISSING_EME_SUPPORT = 6020
const EXPIRED = 6014

/** What is known besides the error. */
export interface DrmFacts {
  /** Whether the browser plays by FairPlay. */
  isFairPlay: boolean
  /** Why the last licence request was refused; Shaka Player drops such an error while other keys remain. */
  lastRefusal: MessageCode | null
}

/** Returns the message for an error that has to do with DRM, or null for any other. */
export function drmProblemOf(error: unknown, facts: DrmFacts): MessageCode | null {
  const { code, category, data }: ShakaError = Object(error)
  switch (code) {
    case NO_RECOGNIZED_KEY_SYSTEMS:
    case KEY_SYSTEM_UNAVAILABLE:
    case FAILED_TO_CREATE_CDM:
    case MISSING_EME_SUPPORT:
      return 'drm_no_cdm'
    case FAILED_TO_GENERATE_LICENCE_REQUEST:
      // All that Safari tells about an output without HDCP (shaka-player #3606).
      return facts.isFairPlay ? 'drm_output_blocked' : 'failed'
    case LICENCE_REQUEST_FAILED:
      return licenceProblemOf(data?.[0])
    case LICENCE_RESPONSE_REJECTED:
      return 'licence_refused'
    case EXPIRED:
      // A refused renewal is told only when the licence ends.
      return facts.lastRefusal ?? 'drm_expired'
    case RESTRICTIONS_CANNOT_BE_MET:
      return noTrackLeft(data?.[0], facts)
    default:
      // Such as a missing certificate: nothing that another browser would change.
      return category === DRM_CATEGORY ? 'failed' : null
  }
}

/** Reads the code of the player host's refusal; any other failure is a lost connection. */
export function licenceProblemOf(cause: unknown): MessageCode {
  const { code, data }: ShakaError = Object(cause)
  if (code !== BAD_HTTP_STATUS) return 'network'
  const text = String(data?.[2])
  const codes = [...SESSION_ENDS, ...DRM_PROBLEMS] as const
  const known = codes.find((one) => text.includes(`"${one}"`))
  if (known) return known
  const status = Number(data?.[1])
  return status >= 500 || status === TOO_MANY ? 'drm_unavailable' : 'licence_refused'
}

/** No track has a usable key: says why, as the keys and the last refusal tell it. */
function noTrackLeft(restrictions: unknown, { lastRefusal }: DrmFacts): MessageCode {
  const statuses: unknown = Object(restrictions).restrictedKeyStatuses
  if (Array.isArray(statuses) && statuses.includes('output-restricted')) return 'drm_output_blocked'
  return lastRefusal ?? 'licence_refused'
}
