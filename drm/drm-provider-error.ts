import type { DRM_FAILURES } from '../domain/videos/video-failures.ts'

type DrmProviderErrorCode = keyof typeof DRM_FAILURES

/**
 * Why a later attempt may succeed: the key server does not work, or it does not accept the credentials of this
 * installation, or it is not at the configured address. An operator fixes the last two.
 */
export type KeyServerFault = 'away' | 'credentials' | 'address'

/** The DRM provider made no usable keys. `drm_provider_refused` and `drm_signalling_mismatch`: a retry does not
 * help. `drm_provider_unavailable`: it may be back later. The message is for people and quotes nothing that could be a secret. */
export class DrmProviderError extends Error {
  override name = 'DrmProviderError'
  readonly code: DrmProviderErrorCode
  /** Null unless `code` is `drm_provider_unavailable`. */
  readonly fault: KeyServerFault | null

  constructor(code: DrmProviderErrorCode, message: string, fault: KeyServerFault | null = null) {
    super(message)
    this.code = code
    this.fault = fault
  }
}

/** The error after which the same request may succeed. */
export const unavailable = (fault: KeyServerFault, message: string): DrmProviderError =>
  new DrmProviderError('drm_provider_unavailable', message, fault)
