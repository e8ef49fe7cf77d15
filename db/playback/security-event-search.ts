import { sql } from 'kysely'
import type { SecuritySeverity } from '../../domain/webhooks/events.ts'
import type { EntityManager } from '../database.ts'
import { findPage, isBeyondInTime, sqlDirection, type Page, type PageRequest } from '../page.ts'
import { keptSince, queries } from '../queries.ts'

/** Which security events of an account are shown. Absent parts admit every event. */
export interface SecurityEventSearch {
  accountId: number
  since: Date
  eventType?: string | undefined
  severity?: SecuritySeverity | undefined
  videoId?: string | undefined
  viewerId?: string | undefined
  /** The site that was refused. */
  host?: string | undefined
}

/** A security event with what explains it to the owner of the account. */
export interface FoundSecurityEvent {
  id: number
  eventType: string
  severity: SecuritySeverity
  videoId: string | null
  /** Null without a video, or if it was deleted. */
  videoTitle: string | null
  viewerId: string | null
  /** The site that was refused; null for other events and for requests that named no site. */
  host: string | null
  /** A code, such as `domain_not_allowed`. */
  reason: string | null
  /** How many times it happened. */
  count: number
  createdAt: Date
}

/** A page of the events that match, newest first. */
export function searchSecurityEvents(
  em: EntityManager,
  { eventType, severity, ...search }: SecurityEventSearch,
  request: PageRequest<number>,
): Promise<Page<FoundSecurityEvent>> {
  return findPage(request, ({ direction, cursor, limit }) => {
    const { order } = sqlDirection(direction)
    let query = eventsThatMatch(em, search)
      .leftJoin('video as v', (join) =>
        join.onRef('v.id', '=', 'e.videoId').on('v.deletedAt', 'is', null),
      )
      .select(['e.id', 'e.eventType', 'e.severity', 'e.videoId', 'e.viewerId', 'e.createdAt'])
      .select('v.title as videoTitle')
      .select([
        sql<string | null>`e.details->>'host'`.as('host'),
        sql<string | null>`coalesce(e.details->>'reason', e.details->>'how')`.as('reason'),
        sql<number>`coalesce((e.details->>'count')::int, 1)`.as('count'),
      ])
    if (eventType !== undefined) query = query.where('e.eventType', '=', eventType)
    if (severity !== undefined) query = query.where('e.severity', '=', severity)
    if (cursor !== undefined)
      query = query.where(
        isBeyondInTime(['security_event', 'e'], search.accountId, { direction, cursor }),
      )
    return query.orderBy('e.createdAt', order).orderBy('e.id', order).limit(limit).execute()
  })
}

/** How many events of one type and severity a bucket has. */
export interface SecurityEventCount {
  /** Index of the bucket, from 0. */
  bucket: number
  eventType: string
  severity: SecuritySeverity
  count: number
}

/**
 * Counts the events that match by bucket, type and severity; combinations without events are absent. The
 * buckets begin at `starts`, in order; the first of them is `since`.
 */
export const countSecurityEvents = (
  em: EntityManager,
  search: Omit<SecurityEventSearch, 'eventType' | 'severity'>,
  starts: readonly Date[],
): Promise<SecurityEventCount[]> =>
  eventsThatMatch(em, search)
    .select([
      sql<number>`width_bucket(e.created_at, ${timesOf(starts)}::timestamptz[]) - 1`.as('bucket'),
      'e.eventType',
      'e.severity',
      sql<number>`count(*)::int`.as('count'),
    ])
    .groupBy(['bucket', 'e.eventType', 'e.severity'])
    .orderBy('bucket')
    .execute()

const timesOf = (starts: readonly Date[]): string =>
  `{${starts.map((start) => start.toISOString()).join()}}`

function eventsThatMatch(
  em: EntityManager,
  { accountId, since, videoId, viewerId, host }: SecurityEventSearch,
) {
  let query = queries(em)
    .selectFrom('security_event as e')
    .where('e.accountId', '=', accountId)
    .where('e.createdAt', '>=', since)
    .where('e.createdAt', '>=', keptSince('security_event'))
  if (videoId !== undefined) query = query.where('e.videoId', '=', videoId)
  if (viewerId !== undefined) query = query.where('e.viewerId', '=', viewerId)
  if (host !== undefined) query = query.where(sql<boolean>`e.details->>'host' = ${host}`)
  return query
}
