import { ApiKey } from '../../db/entities/account.ts'
import { accountFilter } from '../arguments.ts'
import { humaneTime, table } from '../output.ts'
import type { RegisterVerb } from '../verb.ts'
import { apiKeyView } from '../../views/api-key.ts'

/** `keys list`: what is known of each key, which is not the key. */
export const keysList: RegisterVerb = (noun, run) => {
  noun
    .command('list')
    .description('list API keys by their first characters')
    .addOption(accountFilter())
    .action(
      run<{ account?: number }>(async (context, { account }) => {
        const em = await context.entityManager()
        const where = account === undefined ? {} : { accountId: account }
        const keys = await em.find(ApiKey, where, { orderBy: { id: 'asc' } })
        const records = keys.map(apiKeyView)
        const rows = records.map((key) => [
          String(key.id),
          String(key.account_id),
          `${key.hint}…`,
          key.name,
          key.revoked_at ? `revoked ${humaneTime(key.revoked_at)}` : 'active',
          key.scopes.join(','),
        ])
        const headings = ['ID', 'ACCOUNT', 'KEY', 'NAME', 'STATE', 'SCOPES']
        context.out.print(records, table(headings, rows, 'There are no API keys.'))
      }),
    )
}
