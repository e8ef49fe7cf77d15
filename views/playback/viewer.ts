import { z } from 'zod'
import { isViewerId } from '../../domain/playback/viewer-id.ts'
import { revokedViewerSchema } from '../accounts/account.ts'
import { listSchema } from '../list.ts'

/** A viewer id in a request: one that a viewer token may contain. */
export const viewerId = z
  .string()
  .refine(isViewerId, 'must be a viewer id of 1 to 64 characters')
  .meta({ example: 'viewer-42' })

/** A viewer whose tokens are refused. */
export const revokedViewerObjectSchema = revokedViewerSchema.meta({ id: 'RevokedViewer' })

export const revokedViewerListSchema = listSchema(revokedViewerObjectSchema).meta({
  id: 'RevokedViewerList',
})

/** A viewer whose tokens are accepted again. */
export const restoredViewerSchema = z
  .strictObject({
    object: z.literal('viewer'),
    viewer_id: z.string(),
    is_revoked: z.literal(false),
  })
  .meta({ id: 'RestoredViewer' })
