import { sql } from 'kysely'
import type { Protection } from '../../domain/accounts/plan.ts'
import {
  DEFAULT_PLAYER_SETTINGS,
  type PlayerSettings,
} from '../../domain/settings/player-settings.ts'
import type { EntityManager } from '../database.ts'
import { Account, Plan } from '../entities/account.ts'
import { queries } from '../queries.ts'
import { insertSums } from './write-account-sums.ts'

export interface NewAccount {
  name: string
  protection: Protection
  /** Null if storage is not limited. */
  storageLimitBytes: number | null
  settings?: Partial<PlayerSettings>
  /** Creates and seals the signing secret. It is a function because the seal binds it to the account id. */
  sealSigningSecret: (accountId: number) => string
}

/** Inserts an account with its plan and default settings; returns its id. */
export async function insertAccount(em: EntityManager, account: NewAccount): Promise<number> {
  return em.transactional(async (tx) => {
    const { id } = await queries(tx)
      .selectNoFrom(sql<number>`nextval(pg_get_serial_sequence('account', 'id'))::int`.as('id'))
      .executeTakeFirstOrThrow()
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
    await insertSums(tx, id)
    return id
  })
}

/** Replaces a sealed signing secret; returns its version, or null when there is no such account. */
export async function replaceSigningSecret(
  em: EntityManager,
  accountId: number,
  sealed: string,
): Promise<number | null> {
  const row = await queries(em)
    .updateTable('account')
    .set((eb) => ({
      sealedSigningSecret: sealed,
      signingSecretVersion: eb('signingSecretVersion', '+', 1),
    }))
    .where('id', '=', accountId)
    .where('deletedAt', 'is', null)
    .returning('signingSecretVersion as version')
    .executeTakeFirst()
  return row?.version ?? null
}

/** The properties of a plan that can change; those that are absent stay as they are. */
export type PlanChange = Partial<Omit<Plan, 'accountId' | 'updatedAt'>>

/** Changes the plan of an account; returns it, or null for an account that never had one. */
export async function updatePlan(
  em: EntityManager,
  accountId: number,
  change: PlanChange,
): Promise<Plan | null> {
  await em.nativeUpdate(Plan, { accountId }, { ...change, updatedAt: new Date() })
  return em.findOne(Plan, { accountId }, { refresh: true })
}

/** Replaces the player settings of an account that is locked, with the next version. */
export async function updateSettings(
  em: EntityManager,
  account: Account,
  settings: PlayerSettings,
): Promise<void> {
  account.settings = settings
  account.settingsVersion += 1
  await em.flush()
}
