import { DEFAULT_PLAYER_SETTINGS } from '../domain/player-settings.ts'
import type { PlayerSettings } from '../domain/player-settings.ts'
import { isPlanActive } from '../domain/plan.ts'
import type { Protection } from '../domain/plan.ts'
import type { Scope } from '../domain/scopes.ts'
import type { EntityManager } from './database.ts'
import { Account, ApiKey, Plan } from './entities/account.ts'

export interface NewAccount {
  name: string
  protection: Protection
  /** Null: not limited. */
  storageLimitBytes: number | null
  settings?: Partial<PlayerSettings>
  /** Makes and seals the signing secret; its context holds the account id, hence the function. */
  sealSigningSecret: (accountId: number) => string
}

/** Inserts an account with its plan and default settings; returns its id. */
export async function createAccount(em: EntityManager, account: NewAccount): Promise<number> {
  return em.transactional(async (tx) => {
    const [row] = await tx.execute<{ id: number }[]>(
      `select nextval(pg_get_serial_sequence('account', 'id'))::int as id`,
    )
    const id = row?.id ?? 0
    await tx.insert(Account, {
      id,
      name: account.name,
      settings: { ...DEFAULT_PLAYER_SETTINGS, ...account.settings },
      sealedSigningSecret: account.sealSigningSecret(id),
    })
    await tx.insert(Plan, {
      accountId: id,
      protection: account.protection,
      storageLimitBytes: account.storageLimitBytes,
    })
    return id
  })
}

/** The account, or null. */
export const findAccount = (em: EntityManager, id: number): Promise<Account | null> =>
  em.findOne(Account, { id })

/** The plan that is in force at `now`; null where it was ended or its time is over. */
export async function findActivePlan(
  em: EntityManager,
  accountId: number,
  now: Date,
): Promise<Plan | null> {
  const plan = await em.findOne(Plan, { accountId })
  return plan && isPlanActive(plan, now) ? plan : null
}

/**
 * Bytes that the account may still store: the plan's limit less what its videos hold and what
 * running ingests have reserved. Infinity where the plan sets no limit.
 */
export async function availableStorageBytes(em: EntityManager, plan: Plan): Promise<number> {
  if (plan.storageLimitBytes === null) return Infinity
  const [row] = await em.execute<{ used: string }[]>(
    `select coalesce(sum(size_bytes + reserved_bytes), 0)::bigint as used
     from video where account_id = ? and deleted_at is null`,
    [plan.accountId],
  )
  return Math.max(0, plan.storageLimitBytes - Number(row?.used ?? 0))
}

export interface NewApiKey {
  accountId: number
  name: string
  hash: string
  hint: string
  scopes: Scope[]
}

/** Stores an API key's hash; returns the key's id. */
export const insertApiKey = (em: EntityManager, key: NewApiKey): Promise<number> =>
  em.insert(ApiKey, key)

/** The key with this hash, unless it was revoked. */
export const findApiKey = (em: EntityManager, hash: string): Promise<ApiKey | null> =>
  em.findOne(ApiKey, { hash, revokedAt: null })
