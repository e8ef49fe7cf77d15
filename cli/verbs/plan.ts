import { Option } from 'commander'
import { changePlan } from '../../commands/accounts/change-plan.ts'
import { availableStorageBytes, findPlan } from '../../db/accounts/accounts.ts'
import type { PlanChange } from '../../db/accounts/write-accounts.ts'
import type { Plan } from '../../db/entities/account.ts'
import { PROTECTIONS, type Protection } from '../../domain/accounts/plan.ts'
import {
  OUTPUT_PROTECTIONS,
  policyFault,
  type LicencePolicy,
  type OutputProtection,
} from '../../domain/drm/licence-policy.ts'
import { formatBytes } from '../../domain/format-bytes.ts'
import { operatorPlanView } from '../../views/operator/operator.ts'
import {
  accountOption,
  parseBoolean,
  parseId,
  parseMinutes,
  parseRenewal,
  parseStorageBytes,
  parseTime,
} from '../arguments.ts'
import { audited } from '../audited.ts'
import type { Context } from '../context.ts'
import { noAccount, UsageError } from '../errors.ts'
import { fields, humaneTime } from '../output.ts'
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
    .option('--hd-needs-hardware <bool>', 'Multi-DRM: HD only on hardware DRM', parseBoolean)
    .option('--uhd-needs-hardware <bool>', 'Multi-DRM: UHD only on hardware DRM', parseBoolean)
    .addOption(
      new Option('--output-protection <kind>', 'Multi-DRM: HDCP for HD and UHD').choices(
        OUTPUT_PROTECTIONS,
      ),
    )
    .option('--licence-seconds <n>', 'Multi-DRM: how long a licence is valid', parseId)
    .option('--renewal-seconds <n>', 'Multi-DRM: when players renew, or never', parseRenewal)
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
  hdNeedsHardware?: boolean
  uhdNeedsHardware?: boolean
  outputProtection?: OutputProtection
  licenceSeconds?: number
  renewalSeconds?: number | 'never'
}

async function set(context: Context, { account, ...options }: SetOptions): Promise<void> {
  const change = changeOf(options)
  if (Object.keys(change).length === 0)
    throw new UsageError(
      'Give at least one option: --protection, --active, --storage-bytes, --bandwidth-limit, ' +
        '--encoding-limit-minutes, --ends-at, --hd-needs-hardware, --uhd-needs-hardware, ' +
        '--output-protection, --licence-seconds or --renewal-seconds.',
    )
  requireDrmProvider(context, options.protection)
  const now = new Date()
  const edit = await audited(
    await context.entityManager(),
    async (tx) => {
      const stored = await findPlan(tx, account)
      // The change replaces the values of the row.
      const before = stored && operatorPlanView(stored, now)
      const fault = stored && policyFault({ ...policyOf(stored), ...change })
      if (fault) throw new UsageError(fault)
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
  'hd_needs_hardware',
  'uhd_needs_hardware',
  'output_protection',
  'licence_seconds',
  'renewal_seconds',
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
  ...policyChangeOf(options),
})

const policyOf = (plan: Plan): LicencePolicy => ({
  hdNeedsHardware: plan.hdNeedsHardware,
  uhdNeedsHardware: plan.uhdNeedsHardware,
  outputProtection: plan.outputProtection,
  licenceSeconds: plan.licenceSeconds,
  renewalSeconds: plan.renewalSeconds,
})

const policyChangeOf = (options: Omit<SetOptions, 'account'>): PlanChange => ({
  ...(options.hdNeedsHardware !== undefined && { hdNeedsHardware: options.hdNeedsHardware }),
  ...(options.uhdNeedsHardware !== undefined && { uhdNeedsHardware: options.uhdNeedsHardware }),
  ...(options.outputProtection !== undefined && { outputProtection: options.outputProtection }),
  ...(options.licenceSeconds !== undefined && { licenceSeconds: options.licenceSeconds }),
  ...(options.renewalSeconds !== undefined && {
    renewalSeconds: options.renewalSeconds === 'never' ? null : options.renewalSeconds,
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
    ...(shown.protection === 'multi-drm' ? policyFields(shown) : []),
  ])
}

const policyFields = (shown: ShownPlan): [string, string][] => [
  ['hardware', hardwareText(shown)],
  ['outputs', `HDCP ${shown.output_protection}`],
  ['licences', `${shown.licence_seconds} s${renewalText(shown)}`],
]

function hardwareText({ hd_needs_hardware: hd, uhd_needs_hardware: uhd }: ShownPlan): string {
  if (hd) return uhd ? 'needed for HD and UHD' : 'needed for HD'
  return uhd ? 'needed for UHD' : 'not needed'
}

const renewalText = ({ renewal_seconds: seconds }: ShownPlan): string =>
  seconds === null ? '' : `, renewed after ${seconds} s`
