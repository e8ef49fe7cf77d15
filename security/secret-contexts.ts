import { unseal } from './sealing.ts'
import type { MasterKeys } from './sealing.ts'

/** Where an account's viewer-token signing secret is sealed: it opens there and nowhere else. */
export const signingSecretContext = (accountId: number): string => `signing-secret:${accountId}`

/** Where a webhook endpoint's secret is sealed. */
export const endpointSecretContext = (accountId: number): string => `webhook-endpoint:${accountId}`

/** Where a content key is sealed: its own row alone. */
export const contentKeyContext = (videoId: string, trackType: string): string =>
  `content-key:${videoId}:${trackType}`

/** An account's signing secret in the clear. Throws a SealingError where it does not open. */
export const openSigningSecret = (
  masterKeys: MasterKeys,
  account: { id: number; sealedSigningSecret: string },
): string =>
  unseal(masterKeys, account.sealedSigningSecret, signingSecretContext(account.id)).toString('utf8')
