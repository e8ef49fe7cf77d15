import { z } from 'zod'
import type { ViewerErasure } from '../../domain/audience/viewer-erasure.ts'
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
}: Pick<ViewerErasure, 'id' | 'requestedAt'>): z.output<typeof viewerErasureSchema> => ({
  id,
  object: 'viewer_erasure',
  requested_at: isoUtc(requestedAt),
})
