import { randomBytes } from 'node:crypto'
import type { Protection } from '../domain/accounts/plan.ts'
import { KEY_GROUPS, ownKeys, type KeySharing } from '../domain/drm/key-contract.ts'
import type { KeyModel } from '../domain/drm/key-model.ts'
import type { Egress } from '../egress/egress.ts'
import type { KeyProvider } from './key-provider.ts'
import { createOwnKeyProvider } from './own-key-provider.ts'
import { createSpekeKeyProvider, type SpekeOptions } from './speke/speke-key-provider.ts'

/** The SPEKE 2.0 endpoint of the operator's DRM provider. */
export type KeyServer = Pick<SpekeOptions, 'url' | 'authentication' | 'identity'>

export interface KeyProviderOptions {
  egress: Egress
  /** Where the keys of Multi-DRM videos come from. */
  keyModel: KeyModel
  /** Null if the operator has none. */
  speke: KeyServer | null
  /** `separate` by default. */
  keySharing?: KeySharing
}

/**
 * Returns the key provider of each protection. Requesting `multi-drm` without a configured source of keys throws
 * an error that names the variable to set.
 */
export function createKeyProviders(options: KeyProviderOptions) {
  const { egress, keyModel, speke, keySharing = 'separate' } = options
  const groups = KEY_GROUPS[keySharing]
  return (protection: Protection): KeyProvider => {
    if (protection === 'clearkey') return clearKeyProvider
    if (keyModel === 'own') return createOwnKeyProvider(groups)
    if (!speke) throw new Error('Multi-DRM plans need DRM_SPEKE_URL')
    return createSpekeKeyProvider({ ...speke, egress, groups })
  }
}

/** ClearKey: 16 random bytes for each key. The licence endpoint delivers the keys. */
const clearKeyProvider: KeyProvider = {
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
