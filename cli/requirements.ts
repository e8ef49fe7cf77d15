import { findAccount, findPlan } from '../db/accounts/accounts.ts'
import type { EntityManager } from '../db/database.ts'
import type { Account, Plan } from '../db/entities/account.ts'
import type { Protection } from '../domain/accounts/plan.ts'
import type { Context } from './context.ts'
import { CliError, noAccount } from './errors.ts'

/** Returns the account. Throws a CliError if it does not exist. */
export async function requireAccount(em: EntityManager, id: number): Promise<Account> {
  const account = await findAccount(em, id)
  if (!account) throw noAccount(id)
  return account
}

/** Returns the account's plan, active or not. Throws a CliError if the account does not exist. */
export async function requirePlan(em: EntityManager, accountId: number): Promise<Plan> {
  const plan = await findPlan(em, accountId)
  if (!plan) throw noAccount(accountId)
  return plan
}

/** Throws a CliError if a plan with this protection could not protect a video of this installation. */
export function requireDrmProvider({ hasDrmProvider }: Context, protection?: Protection): void {
  if (protection === 'multi-drm' && !hasDrmProvider)
    throw new CliError(
      'Multi-DRM plans need a DRM provider (drm_provider_not_configured): set DRM_LICENCE_PROVIDER, ' +
        'and DRM_SPEKE_URL or DRM_KEY_MODEL=own, for every process and this command (docs/drm.md).',
    )
}
