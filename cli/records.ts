import { findAccount } from '../db/accounts.ts'
import type { EntityManager } from '../db/database.ts'
import { Plan } from '../db/entities/account.ts'
import type { Account } from '../db/entities/account.ts'
import { noAccount } from './errors.ts'

/** The account. Throws a CliError where there is none of this id. */
export async function requireAccount(em: EntityManager, id: number): Promise<Account> {
  const account = await findAccount(em, id)
  if (!account) throw noAccount(id)
  return account
}

/** The account's plan, in force or not. Throws a CliError where there is no such account. */
export async function requirePlan(em: EntityManager, accountId: number): Promise<Plan> {
  const plan = await em.findOne(Plan, { accountId }, { refresh: true })
  if (!plan) throw noAccount(accountId)
  return plan
}
