import { randomBytes } from 'node:crypto'
import { createAccount } from '../../db/accounts.ts'
import { insertApiKey } from '../../db/api-keys.ts'
import type { EntityManager } from '../../db/database.ts'
import { SIGNING_SECRET_HEX_LENGTH } from '../../domain/limits.ts'
import type { Protection } from '../../domain/plan.ts'
import type { PlayerSettings } from '../../domain/player-settings.ts'
import type { Scope } from '../../domain/scopes.ts'
import { apiKeyHint, createApiKey, hashApiKey } from '../../security/api-key.ts'
import { seal } from '../../security/sealing.ts'
import type { MasterKeys } from '../../security/sealing.ts'
import { signingSecretContext } from '../../security/secret-contexts.ts'

export interface AccountToCreate {
  name: string
  protection: Protection
  /** Null or absent: not limited. */
  storageLimitBytes?: number | null
  settings?: Partial<PlayerSettings>
}

/** Creates an account with its plan and a sealed signing secret of its own; returns its id. */
export const createAccountWithSecret = (
  em: EntityManager,
  masterKeys: MasterKeys,
  { storageLimitBytes = null, ...account }: AccountToCreate,
): Promise<number> =>
  createAccount(em, {
    ...account,
    storageLimitBytes,
    sealSigningSecret: (accountId) =>
      seal(masterKeys, newSigningSecret(), signingSecretContext(accountId)),
  })

/** A fresh signing secret: 64 hex characters, used as text (spec, "Viewer token", rule 3). */
export const newSigningSecret = (): string =>
  randomBytes(SIGNING_SECRET_HEX_LENGTH / 2).toString('hex')

export interface KeyToCreate {
  accountId: number
  scopes: Scope[]
  name?: string
}

/** Creates an API key and returns it: this once, for only its hash is kept. */
export async function createKey(
  em: EntityManager,
  { accountId, scopes, name = '' }: KeyToCreate,
): Promise<string> {
  const key = createApiKey()
  const hash = hashApiKey(key)
  await insertApiKey(em, { accountId, name, scopes, hash, hint: apiKeyHint(key) })
  return key
}
