import { holdAccount } from '../../db/accounts/accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import { Plan } from '../../db/entities/account.ts'

/** The properties of a plan that can change; those that are absent stay as they are. */
export type PlanChange = Partial<Omit<Plan, 'accountId' | 'updatedAt'>>

/**
 * Changes the plan of an account; returns it, or null when there is no such account, or its deletion has begun. Existing
 * videos keep their protection. Call it in a transaction.
 */
export async function changePlan(
  em: EntityManager,
  accountId: number,
  change: PlanChange,
): Promise<Plan | null> {
  if (!(await holdAccount(em, accountId))) return null
  await em.nativeUpdate(Plan, { accountId }, { ...change, updatedAt: new Date() })
  return em.findOne(Plan, { accountId }, { refresh: true })
}
