import { randomBytes } from 'node:crypto'
import type { KeyGroup } from '../domain/drm/key-contract.ts'
import type { KeyProvider } from './key-provider.ts'
import { ownSignalling } from './own-signalling.ts'

/**
 * Makes the keys of Multi-DRM videos here, as for ClearKey: random, with an IV and signalling of their own. No
 * provider is asked: each licence request hands the keys over (key model `own`, ADR 0029).
 */
export const createOwnKeyProvider = (groups: readonly KeyGroup[]): KeyProvider => ({
  model: 'own',
  groups: () => groups,
  async createKeys({ keys }) {
    return keys.map(({ name, trackTypes, keyId, iv }) => ({
      name,
      trackTypes,
      keyId,
      key: randomBytes(16),
      ivHex: iv.toString('hex'),
      systems: ownSignalling(keyId, iv),
    }))
  },
})
