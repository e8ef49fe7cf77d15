import { DEFAULT_PLAYER_SETTINGS } from '../domain/player-settings.ts'
import type { PlayerSettings } from '../domain/player-settings.ts'
import { isPlanActive } from '../domain/plan.ts'
import type { Protection } from '../domain/plan.ts'
import type { EntityManager } from './database.ts'
import { Account, Plan } from './entities/account.ts'

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
export async function insertAccount(em: EntityManager, account: NewAccount): Promise<number> {
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

/** Stores another sealed signing secret; returns its version, or null when there is no such account. */
export async function replaceSigningSecret(
  em: EntityManager,
  accountId: number,
  sealed: string,
): Promise<number | null> {
  const [row] = await em.execute<{ version: number }[]>(
    `update account
     set sealed_signing_secret = ?, signing_secret_version = signing_secret_version + 1
     where id = ? returning signing_secret_version as version`,
    [sealed, accountId],
  )
  return row?.version ?? null
}

/** The account, or null. */
export const findAccount = (em: EntityManager, id: number): Promise<Account | null> =>
  em.findOne(Account, { id })

/** The account's plan, in force or not; null where it never had one. */
export const findPlan = (em: EntityManager, accountId: number): Promise<Plan | null> =>
  em.findOne(Plan, { accountId })

/** The plan that is in force at `now`; null where it was ended or its time is over. */
export async function findActivePlan(
  em: EntityManager,
  accountId: number,
  now: Date,
): Promise<Plan | null> {
  const plan = await findPlan(em, accountId)
  return plan && isPlanActive(plan, now) ? plan : null
}

/**
 * Bytes that the account may still store: the plan's limit less what its videos hold and what
 * running ingests have reserved. Infinity where the plan sets no limit.
 */
export async function availableStorageBytes(em: EntityManager, plan: Plan): Promise<number> {
  if (plan.storageLimitBytes === null) return Infinity
  const { usedBytes, reservedBytes } = await readStorage(em, plan.accountId)
  return Math.max(0, plan.storageLimitBytes - usedBytes - reservedBytes)
}

/** Bytes that the account's videos hold, and bytes that running ingests have reserved. */
export async function readStorage(
  em: EntityManager,
  accountId: number,
): Promise<{ usedBytes: number; reservedBytes: number }> {
  const [row] = await em.execute<{ used: string; reserved: string }[]>(
    `select coalesce(sum(size_bytes), 0)::bigint as used,
       coalesce(sum(reserved_bytes), 0)::bigint as reserved
     from video where account_id = ? and deleted_at is null`,
    [accountId],
  )
  return { usedBytes: Number(row?.used ?? 0), reservedBytes: Number(row?.reserved ?? 0) }
}
