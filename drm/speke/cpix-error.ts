import { DrmProviderError } from '../drm-provider-error.ts'

/** The error of a response that lacks something that was asked for, or has it in a wrong form. */
export const incomplete = (what: string): DrmProviderError =>
  new DrmProviderError('drm_provider_refused', `The DRM provider’s response has no ${what}.`)

/** The error of a response that is wrong in another way; `what` completes "The DRM provider’s response …". */
export const wrongResponse = (what: string): DrmProviderError =>
  new DrmProviderError('drm_provider_refused', `The DRM provider’s response ${what}.`)
