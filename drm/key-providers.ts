import { randomBytes } from 'node:crypto'
import type { Protection } from '../domain/plan.ts'
import type { KeyProvider } from './key-provider.ts'
import { createSpekeKeyProvider } from './speke/speke-key-provider.ts'
import type { SpekeOptions } from './speke/speke-key-provider.ts'

export type KeyProviderOptions = Pick<SpekeOptions, 'egress'> & {
  /** The SPEKE v2 endpoint; undefined if the operator offers only ClearKey. */
  spekeUrl: string | undefined
  /** Its Authorization header. */
  spekeAuthorization: string | undefined
}

/**
 * Returns the key provider of each protection. Requesting `multi-drm` without a configured endpoint throws
 * an error that names the variable to set.
 */
export function createKeyProviders({ egress, spekeUrl, spekeAuthorization }: KeyProviderOptions) {
  return (protection: Protection): KeyProvider => {
    if (protection === 'clearkey') return clearKeyProvider
    if (spekeUrl === undefined) throw new Error('Multi-DRM plans need DRM_SPEKE_URL')
    return createSpekeKeyProvider({ egress, url: spekeUrl, authorization: spekeAuthorization })
  }
}

/** ClearKey: 16 random bytes for each key and each key id. The licence endpoint delivers the keys. */
export const clearKeyProvider: KeyProvider = {
  async createKeys({ trackTypes }) {
    return trackTypes.map((trackType) => ({
      trackTypes: [trackType],
      keyId: randomBytes(16),
      key: randomBytes(16),
      ivHex: null,
      systems: [],
    }))
  },
}
