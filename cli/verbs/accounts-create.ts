import { Option } from 'commander'
import { PROTECTIONS } from '../../domain/plan.ts'
import type { Protection } from '../../domain/plan.ts'
import { parseName, parseStorageBytes } from '../arguments.ts'
import { createAccount } from '../../commands/accounts/create-account.ts'
import { requireAccount, requirePlan } from '../records.ts'
import { requireDrmProvider } from '../require-drm-provider.ts'
import type { RegisterVerb } from '../verb.ts'
import { viewAccount } from '../views.ts'

interface Options {
  name: string
  plan: Protection
  storageBytes: number | 'unlimited'
}

/** `accounts create`: an account with its plan and signing secret. */
export const accountsCreate: RegisterVerb = (noun, run) => {
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
    .action(
      run<Options>(async (context, { name, plan: protection, storageBytes }) => {
        requireDrmProvider(context, protection)
        const em = await context.entityManager()
        const keys = await context.masterKeys()
        const storageLimitBytes = storageBytes === 'unlimited' ? null : storageBytes
        const id = await createAccount(em, keys, { name, protection, storageLimitBytes })
        const record = viewAccount(
          await requireAccount(em, id),
          await requirePlan(em, id),
          new Date(),
        )
        context.out.print(record, `Account ${id} (${name}) on a ${protection} plan.`)
      }),
    )
}
