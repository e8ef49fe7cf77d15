import { createKey, revokeKey } from '../../commands/accounts/api-keys.ts'
import { findApiKey } from '../../db/accounts/api-keys.ts'
import { listApiKeys } from '../../db/accounts/operator.ts'
import type { Scope } from '../../domain/accounts/scopes.ts'
import { hashApiKey } from '../../security/api-key.ts'
import { apiKeyView } from '../../views/accounts/account.ts'
import {
  accountFilter,
  accountOption,
  parseAccountId,
  parseName,
  parseScopes,
} from '../arguments.ts'
import { audited, type OperatorChange } from '../audited.ts'
import type { Context } from '../context.ts'
import { CliError } from '../errors.ts'
import { humaneTime, table } from '../output.ts'
import { requireAccount } from '../requirements.ts'
import type { RegisterVerbs } from '../verb.ts'

/** The verbs of `keys`. Only the hash of a key is stored, so no verb can show a key again. */
export const keys: RegisterVerbs = (program, run) => {
  const noun = program.command('keys').description('create, list and revoke API keys')
  noun
    .command('create')
    .description('create an API key; it is shown only once')
    .addOption(accountOption())
    .requiredOption('--scopes <a,b|all>', 'scopes, separated by commas, or all', parseScopes)
    .option('--name <name>', 'label for lists', parseName)
    .action(run(create))
  noun
    .command('list')
    .description('list API keys by their first characters')
    .addOption(accountFilter())
    .action(run(list))
  noun
    .command('revoke')
    .description('revoke an API key; it stops working immediately')
    .argument('<id>', 'id from keys list', parseAccountId)
    .action(run(revoke))
}

const KEY_FIELDS = ['name', 'hint', 'scopes']

const revocationOf = (before: ReturnType<typeof apiKeyView>): OperatorChange => ({
  accountId: before.account_id,
  action: 'api_key.revoke',
  subject: String(before.id),
  before,
  fields: KEY_FIELDS,
})

interface CreateOptions {
  account: number
  scopes: Scope[]
  name?: string
}

async function create(context: Context, options: CreateOptions): Promise<void> {
  const { account, scopes, name = '' } = options
  const em = await context.entityManager()
  await requireAccount(em, account)
  const record = await audited(
    em,
    async (tx) => {
      const key = await createKey(tx, { accountId: account, scopes, name })
      const stored = await findApiKey(tx, hashApiKey(key))
      return { ...(stored && apiKeyView(stored)), key }
    },
    (made) => ({
      accountId: account,
      action: 'api_key.create',
      subject: String(made.id),
      after: made,
      fields: KEY_FIELDS,
    }),
  )
  context.out.print(record, `${record.key}\n\nStore it now: it is not shown again.`)
}

async function list(context: Context, { account }: { account?: number }): Promise<void> {
  const records = (await listApiKeys(await context.entityManager(), account)).map(apiKeyView)
  const headings = ['ID', 'ACCOUNT', 'KEY', 'NAME', 'STATE', 'SCOPES']
  const cells = records.map((key) => [
    String(key.id),
    String(key.account_id),
    `${key.hint}…`,
    key.name,
    key.revoked_at ? `revoked ${humaneTime(key.revoked_at)}` : 'active',
    key.scopes.join(','),
  ])
  context.out.print(records, table(headings, cells, 'No API keys.'))
}

async function revoke(context: Context, _options: object, [argument]: string[]): Promise<void> {
  const id = Number(argument)
  const key = await audited(
    await context.entityManager(),
    (tx) => revokeKey(tx, id),
    (revoked) => revoked && revocationOf(apiKeyView(revoked)),
  )
  if (!key) throw new CliError(`There is no API key ${id}.`, { code: 'api_key_not_found' })
  context.out.print(apiKeyView(key), `API key ${id} (${key.hint}…) is revoked.`)
}
