import { fields, formatBytes, humaneTime } from './output.ts'
import type { viewPlan } from './views.ts'

/** A plan as lines for people. */
export function planText(
  plan: ReturnType<typeof viewPlan> & { storage_available_bytes?: number | null },
): string {
  const bytes = (count: number | null) => (count === null ? 'unlimited' : formatBytes(count))
  const { bandwidth_limit_bytes: bandwidth, encoding_limit_minutes: minutes } = plan
  const left = plan.storage_available_bytes
  return fields([
    ['protection', plan.protection],
    ['in force', plan.in_force ? 'yes' : 'no'],
    ['active', plan.is_active ? 'yes' : 'no'],
    ['ends at', plan.ends_at ? humaneTime(plan.ends_at) : 'never'],
    ['storage', bytes(plan.storage_limit_bytes)],
    ...(left === undefined ? [] : [['left', bytes(left)] satisfies [string, string]]),
    ['bandwidth', bandwidth === null ? 'unlimited' : `${formatBytes(bandwidth)} a month`],
    ['encoding', minutes === null ? 'unlimited' : `${minutes} min a month`],
  ])
}
