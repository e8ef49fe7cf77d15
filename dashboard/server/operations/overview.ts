import { findPlan, readStorage } from '../../../db/accounts/accounts.ts'
import { readEncoding, readVideoFacts, readWatched } from '../../../db/accounts/activity.ts'
import { listFailingEndpoints } from '../../../db/accounts/failing-endpoints.ts'
import {
  countRecentSecurityEvents,
  readFailedVideos,
  readFirstSteps,
} from '../../../db/accounts/overview.ts'
import { listDayUsage } from '../../../db/accounts/usage.ts'
import { readParts } from '../../../db/audience/read-audience.ts'
import type { EntityManager } from '../../../db/database.ts'
import { countPlayingSessions } from '../../../db/playback/playing-sessions.ts'
import { isPlanActive, nearlyUsed } from '../../../domain/accounts/plan.ts'
import { ALL_VIDEOS } from '../../../domain/audience/fold-sessions.ts'
import { lastDays, rangeBefore } from '../../../domain/audience/ranges.ts'
import { noTotals } from '../../../domain/audience/totals.ts'
import { monthStart, utcDay } from '../../../domain/timestamps.ts'
import { operation } from '../../../http/operation.ts'
import {
  overviewSchema,
  overviewView,
  type OverviewFacts,
} from '../../../views/accounts/overview.ts'
import { planUses } from '../../../views/accounts/usage.ts'

const FAILED = { days: 7, limit: 5 }
const SECURITY_HOURS = 24
const WATCHED = { hours: 24, limit: 5 }
const AUDIENCE_DAYS = 7
/** As many rows as the overview shows. */
const ENCODING_ROWS = 5

const get = operation({
  id: 'getOverview',
  method: 'get',
  path: '/overview',
  tag: 'Account',
  summary: 'What the account has done of the first steps, and what needs attention now',
  scope: 'account:read',
  status: 200,
  response: overviewSchema,
  async handle({ deps, accountId }) {
    const fork = (): EntityManager => deps.db.em.fork()
    const [steps, failed, endpoints, playingCount, count, plan, videos, encoding, watched, plays] =
      await Promise.all([
        readFirstSteps(fork(), accountId),
        readFailedVideos(fork(), accountId, FAILED),
        listFailingEndpoints(fork(), accountId),
        countPlayingSessions(fork(), accountId),
        countRecentSecurityEvents(fork(), accountId, SECURITY_HOURS),
        readPlan(fork(), accountId),
        readVideoFacts(fork(), accountId),
        readEncoding(fork(), accountId, ENCODING_ROWS),
        readWatched(fork(), accountId, WATCHED),
        readPlays(fork(), accountId),
      ])
    const facts = {
      steps,
      failed: { days: FAILED.days, count: failed.count, videos: failed.videos },
      endpoints,
      playingCount,
      securityEvents: { hours: SECURITY_HOURS, count },
      plan,
      videos,
      encoding,
      watched: { hours: WATCHED.hours, ...watched },
      audience: { days: AUDIENCE_DAYS, ...plays },
    }
    return overviewView(facts, deps.embedBase)
  },
})

/** What was played in the last days, and in as many before them. */
async function readPlays(
  em: EntityManager,
  accountId: number,
): Promise<Omit<OverviewFacts['audience'], 'days'>> {
  const days = lastDays(Date.now(), AUDIENCE_DAYS)
  const all = { accountId, videoId: ALL_VIDEOS }
  const [before, totals] = await readParts(em, all, [rangeBefore(days.from, days.to), days])
  return { totals: totals ?? noTotals(), before: before ?? noTotals() }
}

/** The plan with what is used of its limits. Usage without a limit is not read. */
async function readPlan(em: EntityManager, accountId: number): Promise<OverviewFacts['plan']> {
  const plan = await findPlan(em, accountId)
  if (!plan) return null
  const today = utcDay(Date.now())
  const hasMonthLimit = plan.bandwidthLimitBytes !== null || plan.encodingLimitMinutes !== null
  const uses = planUses({
    plan,
    storage:
      plan.storageLimitBytes === null
        ? { usedBytes: 0, reservedBytes: 0 }
        : await readStorage(em, accountId),
    month: hasMonthLimit ? await listDayUsage(em, accountId, monthStart(today), today) : [],
  })
  return {
    isActive: isPlanActive(plan, new Date()),
    endsAt: plan.endsAt,
    nearlyUsed: nearlyUsed(uses),
    uses,
  }
}

export const overviewOperations = [get]
