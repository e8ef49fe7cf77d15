import type { DRM_PROVIDER_CODES } from '../domain/error-codes.ts'

type DrmProviderErrorCode = (typeof DRM_PROVIDER_CODES)[number]

/** The DRM provider made no usable keys. `drm_provider_refused` and `drm_signalling_mismatch`: a retry does not
 * help. `drm_provider_unavailable`: it may be back later. The message is for people and quotes nothing that could be a secret. */
export class DrmProviderError extends Error {
  override name = 'DrmProviderError'
  readonly code: DrmProviderErrorCode

  constructor(code: DrmProviderErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
