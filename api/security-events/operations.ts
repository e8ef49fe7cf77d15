import { listSecurityEvents } from '../../db/security-events.ts'
import { securityEventListSchema, securityEventView } from '../../views/security-event.ts'
import { listAnswer, pageOf } from '../list.ts'
import { operation } from '../operation.ts'
import { listSecurityEventsQuery } from './schemas.ts'

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
    return listAnswer(page, query, {
      noun: 'security event',
      view: securityEventView,
      url: '/v1/security-events',
    })
  },
})

export const securityEventOperations = [list]
