import { videoId } from '../../views/video.ts'
import { listQuery, rowIdInQuery } from '../list.ts'
import { text } from '../text.ts'

const TYPE_MAX_LENGTH = 64

/** Query of GET /v1/security-events. */
export const listSecurityEventsQuery = listQuery(rowIdInQuery, {
  event_type: text({ maxLength: TYPE_MAX_LENGTH }).optional(),
  video_id: videoId.optional(),
  viewer_id: text({ maxLength: TYPE_MAX_LENGTH }).optional(),
})
