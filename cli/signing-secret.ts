import type { EntityManager } from '../db/database.ts'
import { Account } from '../db/entities/account.ts'
import { seal } from '../security/sealing.ts'
import type { MasterKeys } from '../security/sealing.ts'
import { openSigningSecret, signingSecretContext } from '../security/secret-contexts.ts'
import { newSigningSecret } from '../commands/accounts/create-account.ts'
import { noAccount } from './errors.ts'

export interface SigningSecret {
  /** 64 hex characters. */
  secret: string
  /** Grows with each rotation. */
  version: number
}

/** An account's signing secret in the clear. Throws a CliError where there is no such account. */
export async function readSigningSecret(
  em: EntityManager,
  masterKeys: MasterKeys,
  accountId: number,
): Promise<SigningSecret> {
  const account = await em.findOne(Account, { id: accountId })
  if (!account) throw noAccount(accountId)
  return { secret: openSigningSecret(masterKeys, account), version: account.signingSecretVersion }
}

/**
 * Gives an account a new signing secret. Secret and version change in one statement: from its
 * commit on no old token verifies and no old session lives (spec, "Viewer token", rule 7).
 */
export async function rotateSigningSecret(
  em: EntityManager,
  masterKeys: MasterKeys,
  accountId: number,
): Promise<SigningSecret> {
  const secret = newSigningSecret()
  const [row] = await em.execute<{ version: number }[]>(
    `update account
     set sealed_signing_secret = ?, signing_secret_version = signing_secret_version + 1
     where id = ? returning signing_secret_version as version`,
    [seal(masterKeys, secret, signingSecretContext(accountId)), accountId],
  )
  if (!row) throw noAccount(accountId)
  return { secret, version: row.version }
}
