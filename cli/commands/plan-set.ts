import { Option } from 'commander'
import { Plan } from '../../db/entities/account.ts'
import type { Protection } from '../../domain/plan.ts'
import {
  PROTECTIONS,
  accountOption,
  parseBoolean,
  parseStorageBytes,
  parseTime,
} from '../arguments.ts'
import { UsageError } from '../errors.ts'
import { planText } from '../plan-text.ts'
import { requirePlan } from '../records.ts'
import type { RegisterVerb } from '../verb.ts'
import { viewPlan } from '../views.ts'

interface Options {
  account: number
  protection?: Protection
  active?: boolean
  storageBytes?: number | 'unlimited'
  endsAt?: Date | 'never'
}

/** `plan set`: changes what is named and leaves the rest; videos that exist keep their protection. */
export const planSet: RegisterVerb = (noun, run) => {
  noun
    .command('set')
    .description('change the plan; what is not named stays')
    .addOption(accountOption())
    .addOption(new Option('--protection <kind>', 'of new videos').choices(PROTECTIONS))
    .option('--active <bool>', 'whether it admits videos', parseBoolean)
    .option('--storage-bytes <n>', 'a number, or unlimited', parseStorageBytes)
    .option('--ends-at <time>', 'ISO 8601, or never', parseTime)
    .action(
      run<Options>(async (context, { account, protection, active, storageBytes, endsAt }) => {
        const change = {
          ...(protection !== undefined && { protection }),
          ...(active !== undefined && { isActive: active }),
          ...(storageBytes !== undefined && {
            storageLimitBytes: storageBytes === 'unlimited' ? null : storageBytes,
          }),
          ...(endsAt !== undefined && { endsAt: endsAt === 'never' ? null : endsAt }),
        }
        if (Object.keys(change).length === 0)
          throw new UsageError(
            'Name what to change: --protection, --active, --storage-bytes or --ends-at.',
          )
        const em = await context.entityManager()
        await em.nativeUpdate(Plan, { accountId: account }, { ...change, updatedAt: new Date() })
        const record = viewPlan(await requirePlan(em, account), new Date())
        context.out.print(record, planText(record))
      }),
    )
}
