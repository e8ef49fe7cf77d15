import { Option } from 'commander'
import { createAccount } from '../../commands/accounts/create-account.ts'
import { listAccounts } from '../../db/accounts/operator.ts'
import { PROTECTIONS, type Protection } from '../../domain/accounts/plan.ts'
import { formatBytes } from '../../domain/format-bytes.ts'
import { operatorAccountView } from '../../views/operator/operator.ts'
import { parseName, parseStorageBytes } from '../arguments.ts'
import { audited } from '../audited.ts'
import type { Context } from '../context.ts'
import { table } from '../output.ts'
import { requireAccount, requireDrmProvider, requirePlan } from '../requirements.ts'
import type { RegisterVerbs } from '../verb.ts'
import { deleteAccount } from './accounts-delete.ts'
import { writeExport } from './accounts-export.ts'

/** The verbs of `accounts`. */
export const accounts: RegisterVerbs = (program, run) => {
  const noun = program.command('accounts').description('create, list, export and delete accounts')
  noun
    .command('create')
    .description('create an account and its plan')
    .requiredOption('--name <name>', 'display name', parseName)
    .addOption(
      new Option('--plan <protection>', 'how new videos are protected')
        .choices(PROTECTIONS)
        .makeOptionMandatory(),
    )
    .option(
      '--storage-bytes <n>',
      'storage limit in bytes, or unlimited',
      parseStorageBytes,
      'unlimited',
    )
    .action(run(create))
  noun.command('list').description('list all accounts').action(run(list))
  noun
    .command('export')
    .description('write all data of an account to a new folder, without secrets')
    .argument('<id>', 'account id')
    .argument('<dir>', 'folder that is empty or does not exist')
    .option('--objects', 'also list the objects of its videos in the storage')
    .action(run(writeExport))
  noun
    .command('delete')
    .description('delete an account with everything that belongs to it')
    .argument('<id>', 'account id')
    .requiredOption('--confirm <name>', 'its name, as `accounts list` shows it')
    .action(run(deleteAccount))
}

interface CreateOptions {
  name: string
  plan: Protection
  storageBytes: number | 'unlimited'
}

async function create(context: Context, options: CreateOptions): Promise<void> {
  const { name, plan: protection, storageBytes } = options
  requireDrmProvider(context, protection)
  const em = await context.entityManager()
  const keys = await context.masterKeys()
  const storageLimitBytes = storageBytes === 'unlimited' ? null : storageBytes
  const id = await audited(
    em,
    (tx) => createAccount(tx, keys, { name, protection, storageLimitBytes }),
    (accountId) => ({
      accountId,
      action: 'account.create',
      subject: String(accountId),
      after: { name, protection },
      fields: ['name', 'protection'],
    }),
  )
  const account = await requireAccount(em, id)
  const plan = await requirePlan(em, id)
  const record = operatorAccountView({ account, plan }, new Date())
  context.out.print(record, `Account ${id} (${name}) on a ${protection} plan.`)
}

async function list(context: Context): Promise<void> {
  const now = new Date()
  const rows = await listAccounts(await context.entityManager())
  const records = rows.map((row) => operatorAccountView(row, now))
  const headings = ['ID', 'NAME', 'PLAN', 'IN FORCE', 'STORAGE']
  const cells = records.map(({ id, name, plan }) => {
    const limit = plan?.storage_limit_bytes ?? null
    const storage = limit === null ? 'unlimited' : formatBytes(limit)
    return [String(id), name, plan?.protection ?? '-', plan?.is_active ? 'yes' : 'no', storage]
  })
  context.out.print(records, table(headings, cells, 'No accounts.'))
}
