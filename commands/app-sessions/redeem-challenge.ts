import type { EntityManager } from '../../db/database.ts'
import {
  advanceAppAttestCounter,
  insertAppAttestKey,
  insertRedeemedChallenge,
} from '../../db/playback/write-mobile-app.ts'
import type { Attested } from '../../security/attestation/attestation.ts'
import type { AppChallenge } from '../../security/tokens/app-challenge.ts'

/**
 * Redeems a challenge with what the app has attested, null for nothing, in one transaction. Of two requests with
 * the same challenge or the same assertion, one is admitted. A refused counter uses the challenge up, too.
 */
export const redeemChallenge = (
  em: EntityManager,
  { id, expiresAtMs }: AppChallenge,
  attested: Attested | null,
): Promise<'admitted' | 'challenge_used' | 'assertion_used'> =>
  em.transactional(async (tx) => {
    if (!(await insertRedeemedChallenge(tx, id, new Date(expiresAtMs)))) return 'challenge_used'
    if (attested?.kind === 'new-key') {
      const { keyIdHex: keyId, publicKey, environment } = attested.key
      await insertAppAttestKey(tx, { keyId, publicKey, environment })
    }
    if (attested?.kind !== 'known-key') return 'admitted'
    const isNewer = await advanceAppAttestCounter(tx, attested.keyIdHex, attested.counter)
    return isNewer ? 'admitted' : 'assertion_used'
  })
