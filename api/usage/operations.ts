import { findPlan, readStorage } from '../../db/accounts.ts'
import { listDayUsage } from '../../db/usage.ts'
import { USAGE_DAYS_MAX } from '../../domain/limits.ts'
import { countDays, monthStart, utcDay } from '../../domain/timestamps.ts'
import { usageSchema, usageView } from '../../views/usage.ts'
import { ApiError } from '../api-error.ts'
import { operation } from '../operation.ts'
import { usageQuery } from './schemas.ts'

const get = operation({
  id: 'getUsage',
  method: 'get',
  path: '/v1/usage',
  tag: 'Account',
  summary: 'Get what the account uses, against its plan, and day by day',
  description:
    'Bandwidth counts the segments that the player host served; a CDN in front of it keeps its own count. A film counts with its length once, when it is ready.',
  scope: 'usage:read',
  query: usageQuery,
  status: 200,
  answer: usageSchema,
  async handle({ deps, accountId, query }) {
    const today = utcDay(Date.now())
    const end = query.end ?? today
    const start = query.start ?? monthStart(end)
    requireRange(start, end)
    const em = deps.db.em.fork()
    return usageView({
      start,
      end,
      plan: await findPlan(em, accountId),
      storage: await readStorage(em, accountId),
      days: await listDayUsage(em, accountId, start, end),
      month: await listDayUsage(em, accountId, monthStart(today), today),
    })
  },
})

function requireRange(start: string, end: string): void {
  const wrong = (message: string) =>
    new ApiError('invalid_parameter', { param: 'start', message: `\`start\` ${message}.` })
  if (start > end) throw wrong('must not be later than `end`')
  if (countDays(start, end) > USAGE_DAYS_MAX)
    throw wrong(`must be at most ${USAGE_DAYS_MAX} days before \`end\``)
}

export const usageOperations = [get]
