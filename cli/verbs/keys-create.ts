import { findApiKey } from '../../db/api-keys.ts'
import type { Scope } from '../../domain/scopes.ts'
import { hashApiKey } from '../../security/api-key.ts'
import { accountOption, parseName, parseScopes } from '../arguments.ts'
import { createKey } from '../../commands/accounts/api-keys.ts'
import { requireAccount } from '../records.ts'
import type { RegisterVerb } from '../verb.ts'
import { apiKeyView } from '../../views/api-key.ts'

interface Options {
  account: number
  scopes: Scope[]
  name?: string
}

/** `keys create`: an API key, shown this once. */
export const keysCreate: RegisterVerb = (noun, run) => {
  noun
    .command('create')
    .description('create an API key; it is shown only once')
    .addOption(accountOption())
    .requiredOption('--scopes <a,b|all>', 'scopes, separated by commas, or all', parseScopes)
    .option('--name <name>', 'label for lists', parseName)
    .action(
      run<Options>(async (context, { account, scopes, name = '' }) => {
        const em = await context.entityManager()
        await requireAccount(em, account)
        const key = await createKey(em, { accountId: account, scopes, name })
        const stored = await findApiKey(em, hashApiKey(key))
        const record = { ...(stored && apiKeyView(stored)), key }
        context.out.print(record, `${key}\n\nStore it now: it is not shown again.`)
      }),
    )
}
