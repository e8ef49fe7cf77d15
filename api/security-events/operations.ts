import type { SecurityEvent } from '../../db/entities/event.ts'
import { listSecurityEvents } from '../../db/security-events.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { listView, pageOf, unknownCursor } from '../list.ts'
import { operation } from '../operation.ts'
import { listSecurityEventsQuery, securityEventListSchema } from './schemas.ts'

const list = operation({
  id: 'listSecurityEvents',
  method: 'get',
  path: '/v1/security-events',
  tag: 'Account',
  summary: 'List security events, newest first',
  scope: 'account:read',
  query: listSecurityEventsQuery,
  status: 200,
  answer: securityEventListSchema,
  async handle({ deps, accountId, query }) {
    const filter = {
      accountId,
      eventType: query.event_type,
      videoId: query.video_id,
      viewerId: query.viewer_id,
    }
    const page = await listSecurityEvents(deps.db.em.fork(), filter, pageOf(query))
    if (!page) throw unknownCursor(query, 'security event')
    return listView(page, securityEventView, '/v1/security-events')
  },
})

const securityEventView = (event: SecurityEvent) => ({
  id: event.id,
  object: 'security_event' as const,
  event_type: event.eventType,
  severity: event.severity,
  video_id: event.videoId,
  viewer_id: event.viewerId,
  created_at: isoUtc(event.createdAt),
})

export const securityEventOperations = [list]
