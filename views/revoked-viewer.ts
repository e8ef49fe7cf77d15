import { z } from 'zod'
import type { RevokedViewer } from '../db/entities/account.ts'
import { isoUtc } from '../domain/timestamps.ts'
import { rowId, timestamp } from './values.ts'

/** A viewer whose tokens are refused. */
export const revokedViewerSchema = z.strictObject({
  object: z.literal('revoked_viewer'),
  account_id: rowId,
  viewer_id: z.string(),
  revoked_at: timestamp('When the viewer was revoked.'),
})

/** A viewer whose tokens are refused. */
export const revokedViewerView = (viewer: RevokedViewer): z.output<typeof revokedViewerSchema> => ({
  object: 'revoked_viewer',
  account_id: viewer.accountId,
  viewer_id: viewer.viewerId,
  revoked_at: isoUtc(viewer.revokedAt),
})
