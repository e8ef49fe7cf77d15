import { VIEWER_TOKEN_MIN_TTL_SECONDS } from '../../domain/limits.ts'
import { DASHBOARD_VIEWER_PREFIX, dashboardViewerId } from '../../domain/settings/preview-look.ts'
import { signText } from '../hmac.ts'
import { deriveKeys, type MasterKeys } from '../sealing/sealing.ts'
import { openSigningSecret } from '../sealing/secret-contexts.ts'
import {
  signViewerToken,
  verifyViewerToken,
  type SentToken,
  type ViewerTokenVerdict,
} from './viewer-token.ts'

type SigningAccount = Parameters<typeof openSigningSecret>[1]

/**
 * Secrets of an account for the tokens of members, derived from the master keys and the signing secret: the first
 * one signs. A site has the signing secret and can sign any viewer id with it, but not with these.
 */
const memberSecrets = (masterKeys: MasterKeys, account: SigningAccount): string[] =>
  deriveKeys(masterKeys, 'member-token').map((key) =>
    signText([key], `${account.id} ${openSigningSecret(masterKeys, account)}`),
  )

/** A viewer token that names a member who watches in the dashboard, valid for a minute. */
interface MemberToken {
  viewerId: string
  vt: string
  expiresAtSeconds: number
}

/** Signs the viewer token of a member. */
export function signMemberToken(
  masterKeys: MasterKeys,
  account: SigningAccount,
  memberId: number,
): MemberToken {
  const viewerId = dashboardViewerId(memberId)
  const expiresAtSeconds = Math.floor(Date.now() / 1000) + VIEWER_TOKEN_MIN_TTL_SECONDS
  const [secret = ''] = memberSecrets(masterKeys, account)
  return { viewerId, expiresAtSeconds, vt: signViewerToken({ viewerId, expiresAtSeconds }, secret) }
}

/** Verifies a token that the signing secret of the account has not signed as that of a member. */
export function verifyMemberToken(
  masterKeys: MasterKeys,
  account: SigningAccount,
  sent: SentToken,
): ViewerTokenVerdict {
  const forged: ViewerTokenVerdict = { ok: false, reason: 'forged' }
  if (!sent.claims?.viewerId.startsWith(DASHBOARD_VIEWER_PREFIX)) return forged
  const verdicts = memberSecrets(masterKeys, account).map((secret) =>
    verifyViewerToken(sent, secret, Date.now()),
  )
  return verdicts.find((one) => one.ok || one.reason !== 'forged') ?? forged
}
