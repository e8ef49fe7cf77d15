/** `drm_provider_refused`: a retry does not help. `drm_provider_unavailable`: the provider may be back later. */
export type DrmProviderErrorCode = 'drm_provider_refused' | 'drm_provider_unavailable'

/** The DRM provider made no keys. The message is for the operator; it quotes nothing that could be a secret. */
export class DrmProviderError extends Error {
  override name = 'DrmProviderError'
  readonly code: DrmProviderErrorCode

  constructor(code: DrmProviderErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
