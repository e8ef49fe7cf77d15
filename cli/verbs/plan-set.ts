import { Option } from 'commander'
import { changePlan } from '../../commands/accounts/change-plan.ts'
import type { PlanChange } from '../../commands/accounts/change-plan.ts'
import { PROTECTIONS } from '../../domain/plan.ts'
import type { Protection } from '../../domain/plan.ts'
import {
  accountOption,
  parseBoolean,
  parseMinutes,
  parseStorageBytes,
  parseTime,
} from '../arguments.ts'
import { UsageError, noAccount } from '../errors.ts'
import { planText } from '../plan-text.ts'
import { requireDrmProvider } from '../require-drm-provider.ts'
import type { RegisterVerb } from '../verb.ts'
import { viewPlan } from '../views.ts'

interface Options {
  account: number
  protection?: Protection
  active?: boolean
  storageBytes?: number | 'unlimited'
  bandwidthLimit?: number | 'unlimited'
  encodingLimitMinutes?: number | 'unlimited'
  endsAt?: Date | 'never'
}

/** `plan set`: changes what is named and leaves the rest; videos that exist keep their protection. */
export const planSet: RegisterVerb = (noun, run) => {
  noun
    .command('set')
    .description('change a plan; only the options given are changed')
    .addOption(accountOption())
    .addOption(
      new Option('--protection <kind>', 'how new videos are protected').choices(PROTECTIONS),
    )
    .option('--active <bool>', 'true or false: whether new videos are accepted', parseBoolean)
    .option('--storage-bytes <n>', 'storage limit in bytes, or unlimited', parseStorageBytes)
    .option('--bandwidth-limit <n>', 'bytes per calendar month, or unlimited', parseStorageBytes)
    .option(
      '--encoding-limit-minutes <n>',
      'minutes per calendar month, or unlimited',
      parseMinutes,
    )
    .option('--ends-at <time>', 'ISO 8601 time or date, or never', parseTime)
    .action(
      run<Options>(async (context, { account, ...options }) => {
        const change = changeOf(options)
        if (Object.keys(change).length === 0)
          throw new UsageError(
            'Give at least one option: --protection, --active, --storage-bytes, --bandwidth-limit, ' +
              '--encoding-limit-minutes or --ends-at.',
          )
        requireDrmProvider(context, options.protection)
        const em = await context.entityManager()
        const plan = await changePlan(em, account, change)
        if (!plan) throw noAccount(account)
        const record = viewPlan(plan, new Date())
        context.out.print(record, planText(record))
      }),
    )
}

/** The columns of the options that were given. */
const changeOf = (options: Omit<Options, 'account'>): PlanChange => ({
  ...(options.protection !== undefined && { protection: options.protection }),
  ...(options.active !== undefined && { isActive: options.active }),
  ...(options.storageBytes !== undefined && { storageLimitBytes: limitOf(options.storageBytes) }),
  ...(options.bandwidthLimit !== undefined && {
    bandwidthLimitBytes: limitOf(options.bandwidthLimit),
  }),
  ...(options.encodingLimitMinutes !== undefined && {
    encodingLimitMinutes: limitOf(options.encodingLimitMinutes),
  }),
  ...(options.endsAt !== undefined && {
    endsAt: options.endsAt === 'never' ? null : options.endsAt,
  }),
})

const limitOf = (limit: number | 'unlimited') => (limit === 'unlimited' ? null : limit)
