import { randomBytes } from 'node:crypto'
import { KEY_GROUPS, ownKeys } from '../domain/key-contract.ts'
import type { KeySharing } from '../domain/key-contract.ts'
import type { Protection } from '../domain/plan.ts'
import type { KeyProvider } from './key-provider.ts'
import { createSpekeKeyProvider } from './speke/speke-key-provider.ts'
import type { SpekeOptions } from './speke/speke-key-provider.ts'

export type KeyProviderOptions = Pick<SpekeOptions, 'egress'> & {
  /** The SPEKE v2 endpoint; undefined if the operator offers only ClearKey. */
  spekeUrl: string | undefined
  /** Its Authorization header. */
  spekeAuthorization: string | undefined
  /** `separate` by default. */
  keySharing?: KeySharing
}

/**
 * Returns the key provider of each protection. Requesting `multi-drm` without a configured endpoint throws
 * an error that names the variable to set.
 */
export function createKeyProviders(options: KeyProviderOptions) {
  const { egress, spekeUrl, spekeAuthorization, keySharing = 'separate' } = options
  return (protection: Protection): KeyProvider => {
    if (protection === 'clearkey') return clearKeyProvider
    if (spekeUrl === undefined) throw new Error('Multi-DRM plans need DRM_SPEKE_URL')
    const speke = { egress, url: spekeUrl, authorization: spekeAuthorization }
    return createSpekeKeyProvider({ ...speke, groups: KEY_GROUPS[keySharing] })
  }
}

/** ClearKey: 16 random bytes for each key. The licence endpoint delivers the keys. */
export const clearKeyProvider: KeyProvider = {
  model: null,
  groups: ownKeys,
  async createKeys({ keys }) {
    return keys.map(({ name, trackTypes, keyId }) => ({
      name,
      trackTypes,
      keyId,
      key: randomBytes(16),
      ivHex: null,
      systems: [],
    }))
  },
}
