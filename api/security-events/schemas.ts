import { z } from 'zod'
import { SECURITY_SEVERITIES } from '../../domain/events.ts'
import { listOf, listQuery, rowId, rowIdInQuery } from '../list.ts'
import { text, timestamp } from '../text.ts'
import { videoId } from '../videos/schemas.ts'

const TYPE_MAX_LENGTH = 64

/** Query of GET /v1/security-events. */
export const listSecurityEventsQuery = listQuery(rowIdInQuery, {
  event_type: text({ maxLength: TYPE_MAX_LENGTH }).optional(),
  video_id: videoId.optional(),
  viewer_id: text({ maxLength: TYPE_MAX_LENGTH }).optional(),
})

/** The security event object (spec, "Other records"). */
const securityEventSchema = z
  .strictObject({
    id: rowId,
    object: z.literal('security_event'),
    event_type: z.string().meta({ example: 'viewer_token_required' }),
    severity: z.enum(SECURITY_SEVERITIES),
    video_id: z.string().nullable(),
    viewer_id: z.string().nullable(),
    created_at: timestamp('When it was recorded.'),
  })
  .meta({ id: 'SecurityEvent' })

export const securityEventListSchema = listOf(securityEventSchema).meta({
  id: 'SecurityEventList',
})
