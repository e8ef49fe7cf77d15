import { unseal } from './sealing.ts'
import type { MasterKeys } from './sealing.ts'

/** Where an account's viewer-token signing secret is sealed: it opens there and nowhere else. */
export const signingSecretContext = (accountId: number): string => `signing-secret:${accountId}`

/** Where a webhook endpoint's secret is sealed. */
export const endpointSecretContext = (accountId: number): string => `webhook-endpoint:${accountId}`

/** Where a content key is sealed: its own row alone. */
export const contentKeyContext = (videoId: string, trackType: string): string =>
  `content-key:${videoId}:${trackType}`

/** How many accounts' secrets are kept open; the one that came first goes first. */
const KEPT_SECRETS = 1000
const opened = new WeakMap<MasterKeys, Map<string, string>>()

/**
 * An account's signing secret in the clear. Throws a SealingError where it does not open. Opened
 * ones are kept by their sealed text, which is another after a rotation: a token takes less to sign
 * than its secret takes to open, and whoever reads this memory finds the master key in it too.
 */
export function openSigningSecret(
  masterKeys: MasterKeys,
  { id, sealedSigningSecret }: { id: number; sealedSigningSecret: string },
): string {
  const kept = opened.get(masterKeys) ?? new Map<string, string>()
  opened.set(masterKeys, kept)
  const context = signingSecretContext(id)
  const place = `${context}:${sealedSigningSecret}`
  const known = kept.get(place)
  if (known !== undefined) return known
  const secret = unseal(masterKeys, sealedSigningSecret, context).toString('utf8')
  const [oldest = ''] = kept.keys()
  if (kept.size >= KEPT_SECRETS) kept.delete(oldest)
  kept.set(place, secret)
  return secret
}
