import { z } from 'zod'
import type {
  FoundSecurityEvent,
  SecurityEventCount,
} from '../../db/playback/security-event-search.ts'
import type { TimeBuckets } from '../../domain/time-buckets.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { SECURITY_SEVERITIES, type SecuritySeverity } from '../../domain/webhooks/events.ts'
import { listSchema } from '../list.ts'
import { timestamp } from '../values.ts'
import { securityEventFacts } from './security-event.ts'

const count = z.int().min(0)

const bySeverity = { low: count, medium: count, high: count }

const foundSecurityEventSchema = z
  .strictObject({
    ...securityEventFacts,
    video_title: z.string().nullable().meta({ description: 'Null if the video was deleted.' }),
    host: z.string().nullable().meta({ description: 'The site that was refused.' }),
    reason: z.string().nullable().meta({ example: 'domain_not_allowed' }),
    count: z
      .int()
      .min(1)
      .meta({ description: 'How many times it happened; the event names the first.' }),
    created_at: timestamp('When it was recorded.'),
  })
  .meta({ id: 'FoundSecurityEvent' })

/** A page of the security events that match a search, with their counts over its range of time. */
export const foundSecurityEventsSchema = listSchema(foundSecurityEventSchema)
  .extend({
    total: count.meta({ description: 'How many events match.' }),
    interval: z.enum(['hour', 'day']),
    buckets: z
      .array(z.strictObject({ start: timestamp('Where the hour or day begins.'), ...bySeverity }))
      .meta({ description: 'How many events match, by hour or day of the time zone.' }),
    types: z
      .array(z.strictObject({ event_type: z.string(), count }))
      .meta({ description: 'How many match but for the filter `event_type`, most first.' }),
    severities: z
      .strictObject(bySeverity)
      .meta({ description: 'How many match but for the filter `severity`.' }),
  })
  .meta({ id: 'FoundSecurityEvents' })

/** A security event as the owner of the account sees it in the dashboard. */
export const foundSecurityEventView = (
  event: FoundSecurityEvent,
): z.output<typeof foundSecurityEventSchema> => ({
  id: event.id,
  object: 'security_event',
  event_type: event.eventType,
  severity: event.severity,
  video_id: event.videoId,
  video_title: event.videoTitle,
  viewer_id: event.viewerId,
  host: event.host,
  reason: event.reason,
  count: event.count,
  created_at: isoUtc(event.createdAt),
})

interface Chosen {
  eventType?: string | undefined
  severity?: SecuritySeverity | undefined
}

/** The counts of a search; each ignores the filter that it offers. */
export function securityEventCounts(
  counts: SecurityEventCount[],
  { interval, startsMs }: TimeBuckets,
  { eventType, severity }: Chosen,
): Pick<
  z.output<typeof foundSecurityEventsSchema>,
  'total' | 'interval' | 'buckets' | 'types' | 'severities'
> {
  const ofType = counts.filter((one) => eventType === undefined || one.eventType === eventType)
  const ofSeverity = counts.filter((one) => severity === undefined || one.severity === severity)
  const matching = ofType.filter((one) => ofSeverity.includes(one))
  const byBucket = Map.groupBy(matching, ({ bucket }) => bucket)
  const byType = Map.groupBy(ofSeverity, (one) => one.eventType)
  return {
    total: sumOf(matching),
    interval,
    buckets: startsMs.map((startMs, bucket) => ({
      start: isoUtc(new Date(startMs)),
      ...severitiesOf(byBucket.get(bucket) ?? []),
    })),
    types: [...byType]
      .map(([type, rows]) => ({ event_type: type, count: sumOf(rows) }))
      .toSorted((a, b) => b.count - a.count || a.event_type.localeCompare(b.event_type)),
    severities: severitiesOf(ofType),
  }
}

const sumOf = (rows: SecurityEventCount[]): number => rows.reduce((sum, one) => sum + one.count, 0)

function severitiesOf(rows: SecurityEventCount[]): Record<SecuritySeverity, number> {
  const sums = { low: 0, medium: 0, high: 0 }
  for (const one of SECURITY_SEVERITIES)
    sums[one] = sumOf(rows.filter(({ severity }) => severity === one))
  return sums
}
