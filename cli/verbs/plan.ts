import { Option } from 'commander'
import { changePlan } from '../../commands/accounts/change-plan.ts'
import type { PlanChange } from '../../commands/accounts/change-plan.ts'
import { availableStorageBytes, findPlan } from '../../db/accounts.ts'
import { PROTECTIONS } from '../../domain/plan.ts'
import type { Protection } from '../../domain/plan.ts'
import { operatorPlanView } from '../../views/operator.ts'
import {
  accountOption,
  parseBoolean,
  parseMinutes,
  parseStorageBytes,
  parseTime,
} from '../arguments.ts'
import { audited } from '../audited.ts'
import type { Context } from '../context.ts'
import { UsageError, noAccount } from '../errors.ts'
import { fields, formatBytes, humaneTime } from '../output.ts'
import { requireDrmProvider, requirePlan } from '../requirements.ts'
import type { RegisterVerbs } from '../verb.ts'

/** The verbs of `plan`. */
export const plan: RegisterVerbs = (program, run) => {
  const noun = program.command('plan').description("show or change an account's plan")
  noun
    .command('show')
    .description('show a plan and the storage left')
    .addOption(accountOption())
    .action(run(show))
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
    .action(run(set))
}

async function show(context: Context, { account }: { account: number }): Promise<void> {
  const em = await context.entityManager()
  const stored = await requirePlan(em, account)
  const left = await availableStorageBytes(em, stored)
  const available = Number.isFinite(left) ? left : null
  const record = { ...operatorPlanView(stored, new Date()), storage_available_bytes: available }
  context.out.print(record, planText(record))
}

interface SetOptions {
  account: number
  protection?: Protection
  active?: boolean
  storageBytes?: number | 'unlimited'
  bandwidthLimit?: number | 'unlimited'
  encodingLimitMinutes?: number | 'unlimited'
  endsAt?: Date | 'never'
}

async function set(context: Context, { account, ...options }: SetOptions): Promise<void> {
  const change = changeOf(options)
  if (Object.keys(change).length === 0)
    throw new UsageError(
      'Give at least one option: --protection, --active, --storage-bytes, --bandwidth-limit, ' +
        '--encoding-limit-minutes or --ends-at.',
    )
  requireDrmProvider(context, options.protection)
  const now = new Date()
  const edit = await audited(
    await context.entityManager(),
    async (tx) => {
      const stored = await findPlan(tx, account)
      // The change replaces the values of the row.
      const before = stored && operatorPlanView(stored, now)
      const changed = await changePlan(tx, account, change)
      return changed && { before, after: operatorPlanView(changed, now) }
    },
    (made) =>
      made && {
        accountId: account,
        action: 'plan.update',
        subject: '',
        before: made.before,
        after: made.after,
        fields: PLAN_FIELDS,
      },
  )
  if (!edit) throw noAccount(account)
  const record = edit.after
  context.out.print(record, planText(record))
}

const PLAN_FIELDS = [
  'protection',
  'is_enabled',
  'ends_at',
  'storage_limit_bytes',
  'bandwidth_limit_bytes',
  'encoding_limit_minutes',
]

const changeOf = (options: Omit<SetOptions, 'account'>): PlanChange => ({
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

type ShownPlan = ReturnType<typeof operatorPlanView> & { storage_available_bytes?: number | null }

function planText(shown: ShownPlan): string {
  const bytes = (count: number | null) => (count === null ? 'unlimited' : formatBytes(count))
  const { bandwidth_limit_bytes: bandwidth, encoding_limit_minutes: minutes } = shown
  const left = shown.storage_available_bytes
  const leftField: [string, string][] = left === undefined ? [] : [['left', bytes(left)]]
  return fields([
    ['protection', shown.protection],
    ['in force', shown.is_active ? 'yes' : 'no'],
    ['active', shown.is_enabled ? 'yes' : 'no'],
    ['ends at', shown.ends_at ? humaneTime(shown.ends_at) : 'never'],
    ['storage', bytes(shown.storage_limit_bytes)],
    ...leftField,
    ['bandwidth', bandwidth === null ? 'unlimited' : `${formatBytes(bandwidth)} a month`],
    ['encoding', minutes === null ? 'unlimited' : `${minutes} min a month`],
  ])
}
