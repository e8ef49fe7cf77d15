import { z } from 'zod'
import type { SecurityEvent } from '../../db/entities/event.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { SECURITY_SEVERITIES } from '../../domain/webhooks/events.ts'
import { listSchema } from '../list.ts'
import { rowId, timestamp } from '../values.ts'

/** The fields that a `security.event` carries too. */
export const securityEventFacts = {
  id: rowId,
  object: z.literal('security_event'),
  event_type: z.string(),
  severity: z.enum(SECURITY_SEVERITIES).meta({ id: 'SecuritySeverity' }),
  video_id: z.string().nullable(),
  viewer_id: z.string().nullable(),
}

/** The security event object (contract, "Other records"). */
const securityEventSchema = z
  .strictObject({
    ...securityEventFacts,
    event_type: securityEventFacts.event_type.meta({ example: 'viewer_token_required' }),
    created_at: timestamp('When it was recorded.'),
  })
  .meta({ id: 'SecurityEvent' })

export const securityEventListSchema = listSchema(securityEventSchema).meta({
  id: 'SecurityEventList',
})

/** The security event object, without its details, which are for the operator. */
export const securityEventView = (event: SecurityEvent): z.output<typeof securityEventSchema> => ({
  id: event.id,
  object: 'security_event',
  event_type: event.eventType,
  severity: event.severity,
  video_id: event.videoId,
  viewer_id: event.viewerId,
  created_at: isoUtc(event.createdAt),
})
