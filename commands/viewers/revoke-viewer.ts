import type { EntityManager } from '../../db/database.ts'
import { RevokedViewer } from '../../db/entities/account.ts'

/**
 * Refuses all tokens of a viewer; running sessions end at their next renewal. Revoking a viewer again
 * keeps the time of the first revocation.
 */
export async function revokeViewer(
  em: EntityManager,
  accountId: number,
  viewerId: string,
): Promise<RevokedViewer> {
  const viewer = { accountId, viewerId }
  return em.upsert(RevokedViewer, viewer, { onConflictAction: 'ignore' })
}

/** Accepts the tokens of a revoked viewer again; returns false when the viewer was not revoked. */
export const restoreViewer = async (
  em: EntityManager,
  accountId: number,
  viewerId: string,
): Promise<boolean> => (await em.nativeDelete(RevokedViewer, { accountId, viewerId })) > 0
