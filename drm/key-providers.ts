import type { Protection } from '../domain/plan.ts'
import { clearKeyProvider } from './clear-key-provider.ts'
import type { KeyProvider } from './key-provider.ts'
import { createSpekeKeyProvider } from './speke-key-provider.ts'
import type { SpekeOptions } from './speke-key-provider.ts'

export type KeyProviderOptions = Pick<SpekeOptions, 'egress'> & {
  /** The SPEKE v2 endpoint; undefined where the operator offers ClearKey alone. */
  spekeUrl: string | undefined
  /** Its Authorization header. */
  spekeAuthorization: string | undefined
}

/**
 * The key provider of each kind of plan. Asking for Multi-DRM without a configured endpoint throws
 * an error that names the variable to set.
 */
export function createKeyProviders({ egress, spekeUrl, spekeAuthorization }: KeyProviderOptions) {
  return (protection: Protection): KeyProvider => {
    if (protection === 'clearkey') return clearKeyProvider
    if (spekeUrl === undefined) throw new Error('Multi-DRM plans need DRM_SPEKE_URL')
    return createSpekeKeyProvider({ egress, url: spekeUrl, authorization: spekeAuthorization })
  }
}
