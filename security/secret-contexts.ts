import type { KeyName } from '../domain/key-contract.ts'
import { unseal } from './sealing.ts'
import type { MasterKeys } from './sealing.ts'

/** The sealing context of an account's signing secret for viewer tokens. */
export const signingSecretContext = (accountId: number): string => `signing-secret:${accountId}`

/** The sealing context of a webhook endpoint's secret. */
export const endpointSecretContext = (accountId: number): string => `webhook-endpoint:${accountId}`

/** The sealing context of a content key, which names its row: the video and the name of the key. */
export const contentKeyContext = (videoId: string, name: KeyName): string =>
  `content-key:${videoId}:${name}`

/** How many opened secrets are cached; the oldest is removed first. */
const CACHED_SECRETS_MAX = 1000
const opened = new WeakMap<MasterKeys, Map<string, string>>()

/**
 * Opens an account's signing secret. Throws a SealingError if it cannot be opened. Caches opened
 * secrets by their sealed text, which changes with a rotation, because opening a secret takes
 * longer than signing a token. The cache reveals nothing more: this memory also contains the master
 * key.
 */
export function openSigningSecret(
  masterKeys: MasterKeys,
  { id, sealedSigningSecret }: { id: number; sealedSigningSecret: string },
): string {
  const cache = opened.get(masterKeys) ?? new Map<string, string>()
  opened.set(masterKeys, cache)
  const context = signingSecretContext(id)
  const cacheKey = `${context}:${sealedSigningSecret}`
  const known = cache.get(cacheKey)
  if (known !== undefined) return known
  const secret = unseal(masterKeys, sealedSigningSecret, context).toString('utf8')
  const [oldest = ''] = cache.keys()
  if (cache.size >= CACHED_SECRETS_MAX) cache.delete(oldest)
  cache.set(cacheKey, secret)
  return secret
}
