import { randomBytes } from 'node:crypto'
import { replaceSigningSecret } from '../../db/accounts/write-accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import { SIGNING_SECRET_HEX_LENGTH } from '../../domain/limits.ts'
import { seal, type MasterKeys } from '../../security/sealing/sealing.ts'
import { signingSecretContext } from '../../security/sealing/secret-contexts.ts'

export interface SigningSecret {
  /** 64 hex characters. */
  secret: string
  /** Grows with each rotation. */
  version: number
}

/** A random signing secret: 64 hex characters, used as text (contract, "Viewer token", rule 3). */
export const newSigningSecret = (): string =>
  randomBytes(SIGNING_SECRET_HEX_LENGTH / 2).toString('hex')

/**
 * Replaces the signing secret of an account; returns null when there is no such account. Secret and
 * version change in one statement: as soon as it commits, no token signed with the old secret
 * verifies and no session started with one continues (contract, "Viewer token", rule 7).
 */
export async function rotateSigningSecret(
  em: EntityManager,
  masterKeys: MasterKeys,
  accountId: number,
): Promise<SigningSecret | null> {
  const secret = newSigningSecret()
  const sealed = seal(masterKeys, secret, signingSecretContext(accountId))
  const version = await replaceSigningSecret(em, accountId, sealed)
  return version === null ? null : { secret, version }
}
