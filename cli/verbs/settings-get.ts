import { accountOption } from '../arguments.ts'
import { requireAccount } from '../records.ts'
import type { RegisterVerb } from '../verb.ts'

/** `settings get`: all player settings, as JSON for people too. */
export const settingsGet: RegisterVerb = (noun, run) => {
  noun
    .command('get')
    .description('show all player settings')
    .addOption(accountOption())
    .action(
      run<{ account: number }>(async (context, { account }) => {
        const { settings } = await requireAccount(await context.entityManager(), account)
        context.out.print(settings, JSON.stringify(settings, null, 2))
      }),
    )
}
