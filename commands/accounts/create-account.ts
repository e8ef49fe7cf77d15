import { insertAccount } from '../../db/accounts/write-accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import type { Protection } from '../../domain/accounts/plan.ts'
import type { PlayerSettings } from '../../domain/settings/player-settings.ts'
import { seal, type MasterKeys } from '../../security/sealing/sealing.ts'
import { signingSecretContext } from '../../security/sealing/secret-contexts.ts'
import { newSigningSecret } from './signing-secret.ts'

export interface AccountToCreate {
  name: string
  protection: Protection
  /** Null or absent if storage is not limited. */
  storageLimitBytes?: number | null
  settings?: Partial<PlayerSettings>
}

/** Creates an account with its plan and a sealed signing secret; returns its id. */
export const createAccount = (
  em: EntityManager,
  masterKeys: MasterKeys,
  { storageLimitBytes = null, ...account }: AccountToCreate,
): Promise<number> =>
  insertAccount(em, {
    ...account,
    storageLimitBytes,
    sealSigningSecret: (accountId) =>
      seal(masterKeys, newSigningSecret(), signingSecretContext(accountId)),
  })
