import { randomBytes } from 'node:crypto'
import type { KeyProvider } from './key-provider.ts'

/** ClearKey: 16 random bytes for each key and each key id; the licence endpoint hands them out. */
export const clearKeyProvider: KeyProvider = {
  async createKeys({ trackTypes }) {
    return trackTypes.map((trackType) => ({
      trackType,
      keyId: randomBytes(16),
      key: randomBytes(16),
      systems: [],
    }))
  },
}
