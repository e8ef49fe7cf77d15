import type { EntityManager } from '../../db/database.ts'
import type { RevokedViewer } from '../../db/entities/account.ts'
import {
  deleteRevokedViewer,
  insertRevokedViewer,
} from '../../db/playback/write-revoked-viewers.ts'

/**
 * Refuses all tokens of a viewer; running sessions end at their next renewal. Revoking a viewer again
 * keeps the time of the first revocation.
 */
export const revokeViewer = (
  em: EntityManager,
  accountId: number,
  viewerId: string,
): Promise<RevokedViewer> => insertRevokedViewer(em, { accountId, viewerId })

/** Accepts the tokens of a revoked viewer again; returns false when the viewer was not revoked. */
export const restoreViewer = (
  em: EntityManager,
  accountId: number,
  viewerId: string,
): Promise<boolean> => deleteRevokedViewer(em, { accountId, viewerId })
