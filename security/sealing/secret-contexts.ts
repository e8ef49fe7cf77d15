import type { KeyName } from '../../domain/drm/key-contract.ts'
import type { SealedOwner } from '../../domain/sealed-value.ts'
import type { SourceKeyOf } from './encrypted-source.ts'
import { unseal, type MasterKeys, type SealedContext } from './sealing.ts'

/** The sealing context of a stored value. Its text is part of every value: it never changes. */
export const contextOf = (owner: SealedOwner): SealedContext => ({
  kind: owner.kind,
  text: ownerText(owner),
})

function ownerText(owner: SealedOwner): string {
  switch (owner.kind) {
    case 'signing-secret':
      return `signing-secret:${owner.accountId}`
    case 'endpoint-secret':
    case 'previous-endpoint-secret':
      return `webhook-endpoint:${owner.accountId}`
    case 'record-store-password':
      return `record-store:${owner.accountId}`
    case 'import-access':
      return `import-access:${owner.accountId}`
    case 'content-key':
      return `content-key:${owner.videoId}:${owner.name}`
    case 'source-key':
    // It becomes the key of the video as it is.
    case 'upload-source-key':
      return `source-key:${owner.videoId}`
    case 'upload-token':
      return `upload-token:${owner.videoId}`
    case 'idempotent-answer':
      return `idempotency:${owner.accountId}:${owner.route}:${owner.key}`
  }
}

/** The sealing context of an account's signing secret for viewer tokens. */
export const signingSecretContext = (accountId: number): SealedContext =>
  contextOf({ kind: 'signing-secret', accountId })

/** The sealing context of a webhook endpoint's secret, also after another has replaced it. */
export const endpointSecretContext = (accountId: number): SealedContext =>
  contextOf({ kind: 'endpoint-secret', accountId })

/** The sealing context of the password for an account's learning record store. */
export const recordStoreContext = (accountId: number): SealedContext =>
  contextOf({ kind: 'record-store-password', accountId })

/** The sealing context of what opens the bucket of an import. */
export const importAccessContext = (accountId: number): SealedContext =>
  contextOf({ kind: 'import-access', accountId })

/** The sealing context of a content key, which names its row: the video and the name of the key. */
export const contentKeyContext = (videoId: string, name: KeyName): SealedContext =>
  contextOf({ kind: 'content-key', videoId, name })

/** The sealing context of the key that encrypts the stored source of a video. */
export const sourceKeyContext = (videoId: string): SealedContext =>
  contextOf({ kind: 'source-key', videoId })

/** The same of an upload, which becomes this video. */
export const uploadSourceKeyContext = (videoId: string): SealedContext =>
  contextOf({ kind: 'upload-source-key', videoId })

/** The sealing context of the secret part of an upload's address. */
export const uploadTokenContext = (videoId: string): SealedContext =>
  contextOf({ kind: 'upload-token', videoId })

/** The sealing context of a response that is stored under an Idempotency-Key. */
export const idempotentResponseContext = (scope: {
  accountId: number
  route: string
  key: string
}): SealedContext => contextOf({ kind: 'idempotent-answer', ...scope })

/** Opens the key of a video's stored source. Throws a SealingError if it cannot be opened. */
export const openSourceKey = (
  masterKeys: MasterKeys,
  { videoId, sealedKey }: { videoId: string; sealedKey: string },
): SourceKeyOf => ({ videoId, key: unseal(masterKeys, sealedKey, sourceKeyContext(videoId)) })

/** Opens the current secret of a webhook endpoint. Throws a SealingError if it cannot be opened. */
export const openEndpointSecret = (
  masterKeys: MasterKeys,
  { accountId, sealedSecret }: { accountId: number; sealedSecret: string },
): string => unseal(masterKeys, sealedSecret, endpointSecretContext(accountId)).toString('utf8')

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
  const cacheKey = `${context.text}:${sealedSigningSecret}`
  const known = cache.get(cacheKey)
  if (known !== undefined) return known
  const secret = unseal(masterKeys, sealedSigningSecret, context).toString('utf8')
  const [oldest = ''] = cache.keys()
  if (cache.size >= CACHED_SECRETS_MAX) cache.delete(oldest)
  cache.set(cacheKey, secret)
  return secret
}
