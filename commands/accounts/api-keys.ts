import { holdAccount, lockAccount } from '../../db/accounts/accounts.ts'
import { countActiveKeys } from '../../db/accounts/api-keys.ts'
import { insertApiKey, revokeApiKey } from '../../db/accounts/write-api-keys.ts'
import type { EntityManager } from '../../db/database.ts'
import type { ApiKey } from '../../db/entities/account.ts'
import type { Scope } from '../../domain/accounts/scopes.ts'
import { API_KEYS_MAX } from '../../domain/limits.ts'
import { apiKeyHint, createApiKey, hashApiKey } from '../../security/api-key.ts'
import { Refusal } from '../refusal.ts'

export interface KeyToCreate {
  accountId: number
  scopes: Scope[]
  name?: string
}

/**
 * Creates an API key and returns it. It cannot be read again: only its hash is stored. Refuses with
 * `account_not_found`, also if the deletion of the account has begun, and with `too_many_api_keys`.
 */
export async function createKey(
  em: EntityManager,
  { accountId, scopes, name = '' }: KeyToCreate,
): Promise<string> {
  const key = createApiKey()
  const hash = hashApiKey(key)
  await em.transactional(async (tx) => {
    await lockAccount(tx, accountId)
    if (!(await holdAccount(tx, accountId))) throw new Refusal('account_not_found')
    if ((await countActiveKeys(tx, accountId)) >= API_KEYS_MAX)
      throw new Refusal('too_many_api_keys')
    await insertApiKey(tx, { accountId, name, scopes, hash, hint: apiKeyHint(key) })
  })
  return key
}

/**
 * Revokes an API key, so that requests with it are refused. Returns its row, or null if no key has this
 * id, or if it belongs to another account than `accountId`. A key that is revoked already keeps the time of
 * its first revocation.
 */
export const revokeKey = (
  em: EntityManager,
  id: number,
  accountId?: number,
): Promise<ApiKey | null> => revokeApiKey(em, id, accountId)
