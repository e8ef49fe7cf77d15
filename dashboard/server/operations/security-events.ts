import { z } from 'zod'
import {
  countSecurityEvents,
  searchSecurityEvents,
} from '../../../db/playback/security-event-search.ts'
import { bucketsOf, isTimeZone, TIME_RANGES } from '../../../domain/time-buckets.ts'
import { SECURITY_SEVERITIES } from '../../../domain/webhooks/events.ts'
import { listQuery, rowIdInQuery, toPage } from '../../../http/list.ts'
import { operation } from '../../../http/operation.ts'
import { text } from '../../../http/text.ts'
import { listView } from '../../../views/list.ts'
import {
  foundSecurityEventsSchema,
  foundSecurityEventView,
  securityEventCounts,
} from '../../../views/playback/security-event-search.ts'
import { videoId } from '../../../views/videos/video.ts'

const FILTER_MAX_LENGTH = 64
const HOST_MAX_LENGTH = 253

const timeZone = z
  .string()
  .refine(isTimeZone, 'must be the name of a time zone')
  .default('UTC')
  .meta({ description: 'Hours and days are those of this zone.', example: 'Europe/Berlin' })

const search = operation({
  id: 'searchSecurityEvents',
  method: 'get',
  path: '/security-events',
  tag: 'Account',
  summary: 'Search security events, newest first, with their counts by hour or day',
  description: 'The last 24 hours are counted by hour, longer ranges by day.',
  scope: 'account:read',
  query: listQuery(rowIdInQuery, {
    range: z.enum(TIME_RANGES).default('7d').meta({ description: 'Up to now.' }),
    time_zone: timeZone,
    event_type: text({ maxLength: FILTER_MAX_LENGTH }).optional(),
    severity: z.enum(SECURITY_SEVERITIES).optional(),
    video_id: videoId.optional(),
    viewer_id: text({ maxLength: FILTER_MAX_LENGTH }).optional(),
    host: text({ maxLength: HOST_MAX_LENGTH, example: 'courses.example.com' }).optional(),
  }),
  status: 200,
  response: foundSecurityEventsSchema,
  async handle({ deps, accountId, query }) {
    const buckets = bucketsOf(query.range, query.time_zone, Date.now())
    const starts = buckets.startsMs.map((startMs) => new Date(startMs))
    const chosen = { eventType: query.event_type, severity: query.severity }
    const filter = {
      accountId,
      since: starts[0] ?? new Date(),
      videoId: query.video_id,
      viewerId: query.viewer_id,
      host: query.host,
    }
    const [page, counts] = await Promise.all([
      searchSecurityEvents(deps.db.em.fork(), { ...filter, ...chosen }, toPage(query)),
      countSecurityEvents(deps.db.em.fork(), filter, starts),
    ])
    const list = listView(page, foundSecurityEventView, '/security-events')
    return { ...list, ...securityEventCounts(counts, buckets, chosen) }
  },
})

export const securityEventOperations = [search]
