import { z } from 'zod'
import type { RequestedErasure } from '../../commands/viewers/erase-viewer.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { rowId, timestamp } from '../values.ts'

/** A viewer who is being erased. It does not name the viewer. */
export const viewerErasureSchema = z
  .strictObject({
    id: rowId,
    object: z.literal('viewer_erasure'),
    requested_at: timestamp('When the erasure was requested. It is done within minutes.'),
  })
  .meta({ id: 'ViewerErasure' })

/** A viewer who is being erased. */
export const viewerErasureView = ({
  id,
  requestedAt,
}: Pick<RequestedErasure, 'id' | 'requestedAt'>): z.output<typeof viewerErasureSchema> => ({
  id,
  object: 'viewer_erasure',
  requested_at: isoUtc(requestedAt),
})
