import { availableStorageBytes } from '../../db/accounts.ts'
import { accountOption } from '../arguments.ts'
import { planText } from '../plan-text.ts'
import { requirePlan } from '../records.ts'
import type { RegisterVerb } from '../verb.ts'
import { viewPlan } from '../views.ts'

/** `plan show`: the plan, and the storage it has left. */
export const planShow: RegisterVerb = (noun, run) => {
  noun
    .command('show')
    .description('show a plan and the storage left')
    .addOption(accountOption())
    .action(
      run<{ account: number }>(async (context, { account }) => {
        const em = await context.entityManager()
        const plan = await requirePlan(em, account)
        const left = await availableStorageBytes(em, plan)
        const available = Number.isFinite(left) ? left : null
        const record = { ...viewPlan(plan, new Date()), storage_available_bytes: available }
        context.out.print(record, planText(record))
      }),
    )
}
