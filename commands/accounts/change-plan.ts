import { holdAccount } from '../../db/accounts/accounts.ts'
import { updatePlan, type PlanChange } from '../../db/accounts/write-accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import type { Plan } from '../../db/entities/account.ts'

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
  return updatePlan(em, accountId, change)
}
