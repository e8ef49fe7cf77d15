import { z } from 'zod'
import { findAccount, findActivePlan, findPlan, readStorage } from '../../db/accounts/accounts.ts'
import { listDayUsage } from '../../db/accounts/usage.ts'
import { listSecurityEvents } from '../../db/playback/security-events.ts'
import { USAGE_DAYS_MAX } from '../../domain/limits.ts'
import { countDays, monthStart, utcDay } from '../../domain/timestamps.ts'
import { ApiError } from '../../http/api-error.ts'
import { listQuery, rowIdInQuery, toPage } from '../../http/list.ts'
import { operation } from '../../http/operation.ts'
import { calendarDay, text } from '../../http/text.ts'
import { accountSchema, accountView, planSchema, planView } from '../../views/accounts/account.ts'
import { usageSchema, usageView } from '../../views/accounts/usage.ts'
import { listView } from '../../views/list.ts'
import { securityEventListSchema, securityEventView } from '../../views/playback/security-event.ts'
import { playerSettingsObjectSchema, playerSettingsView } from '../../views/player-settings.ts'
import { videoId } from '../../views/videos/video.ts'

const getAccount = operation({
  id: 'getAccount',
  method: 'get',
  path: '/v1/account',
  tag: 'Account',
  summary: 'Get the account that the API key belongs to',
  scope: 'account:read',
  status: 200,
  response: accountSchema,
  async handle({ deps, accountId }) {
    const em = deps.db.em.fork()
    const account = await findAccount(em, accountId)
    if (!account) throw new ApiError('invalid_api_key')
    const plan = await findActivePlan(em, account.id, new Date())
    return accountView(account, plan)
  },
})

const getPlan = operation({
  id: 'getPlan',
  method: 'get',
  path: '/v1/plan',
  tag: 'Account',
  summary: 'Get the plan of the account',
  scope: 'account:read',
  status: 200,
  response: planSchema,
  errors: ['plan_not_found'],
  async handle({ deps, accountId }) {
    const plan = await findPlan(deps.db.em.fork(), accountId)
    if (!plan) throw new ApiError('plan_not_found')
    return planView(plan, new Date())
  },
})

/** Query of GET /v1/usage; defaults to the current month up to today. */
const usageQuery = z.strictObject({
  start: calendarDay(
    `First day in UTC, at most ${USAGE_DAYS_MAX} days with end. Defaults to the first of the month of end.`,
  ).optional(),
  end: calendarDay('Last day, inclusive, not before start. Defaults to today.').optional(),
})

const getUsage = operation({
  id: 'getUsage',
  method: 'get',
  path: '/v1/usage',
  tag: 'Account',
  summary: 'Get the usage of the account by day and against its plan',
  description:
    'Bandwidth counts the segments that the player host serves; a CDN in front of it is not counted. The duration of a video counts as encoded once, when the video is ready.',
  scope: 'usage:read',
  query: usageQuery,
  status: 200,
  response: usageSchema,
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

const getPlayerSettings = operation({
  id: 'getPlayerSettings',
  method: 'get',
  path: '/v1/settings/player',
  tag: 'Account',
  summary: 'Get all player, subtitle, watermark and protection settings',
  description: 'Read-only: the operator changes them with `reelgate settings set`.',
  scope: 'settings:read',
  status: 200,
  response: playerSettingsObjectSchema,
  async handle({ deps, accountId }) {
    const account = await findAccount(deps.db.em.fork(), accountId)
    if (!account) throw new ApiError('invalid_api_key')
    return playerSettingsView(account.settings)
  },
})

const TYPE_MAX_LENGTH = 64

/** Query of GET /v1/security-events. */
const listSecurityEventsQuery = listQuery(rowIdInQuery, {
  event_type: text({ maxLength: TYPE_MAX_LENGTH }).optional(),
  video_id: videoId.optional(),
  viewer_id: text({ maxLength: TYPE_MAX_LENGTH }).optional(),
})

const listAccountSecurityEvents = operation({
  id: 'listSecurityEvents',
  method: 'get',
  path: '/v1/security-events',
  tag: 'Account',
  summary: 'List security events, newest first',
  scope: 'account:read',
  query: listSecurityEventsQuery,
  status: 200,
  response: securityEventListSchema,
  async handle({ deps, accountId, query }) {
    const filter = {
      accountId,
      eventType: query.event_type,
      videoId: query.video_id,
      viewerId: query.viewer_id,
    }
    const page = await listSecurityEvents(deps.db.em.fork(), filter, toPage(query))
    return listView(page, securityEventView, '/v1/security-events')
  },
})

export const accountOperations = [
  getAccount,
  getPlan,
  getUsage,
  getPlayerSettings,
  listAccountSecurityEvents,
]
