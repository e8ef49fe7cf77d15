import { Account, Plan } from '../../db/entities/account.ts'
import { formatBytes, table } from '../output.ts'
import type { RegisterVerb } from '../verb.ts'
import { viewAccount } from '../views.ts'

/** `accounts list`: every account with its plan. */
export const accountsList: RegisterVerb = (noun, run) => {
  noun
    .command('list')
    .description('list all accounts')
    .action(
      run(async (context) => {
        const em = await context.entityManager()
        const accounts = await em.find(Account, {}, { orderBy: { id: 'asc' } })
        const plans = new Map((await em.find(Plan, {})).map((plan) => [plan.accountId, plan]))
        const now = new Date()
        const records = accounts.map((row) => viewAccount(row, plans.get(row.id) ?? null, now))
        const rows = records.map(({ id, name, plan }) => {
          const limit = plan?.storage_limit_bytes ?? null
          const storage = limit === null ? 'unlimited' : formatBytes(limit)
          return [String(id), name, plan?.protection ?? '-', plan?.in_force ? 'yes' : 'no', storage]
        })
        const headings = ['ID', 'NAME', 'PLAN', 'IN FORCE', 'STORAGE']
        context.out.print(records, table(headings, rows, 'There are no accounts.'))
      }),
    )
}
