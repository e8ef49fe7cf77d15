import type { EntityManager } from '../database.ts'
import { RevokedViewer } from '../entities/account.ts'

/** Records that a viewer is revoked. A viewer who is revoked already keeps the time of the first revocation. */
export const insertRevokedViewer = (
  em: EntityManager,
  viewer: { accountId: number; viewerId: string },
): Promise<RevokedViewer> => em.upsert(RevokedViewer, viewer, { onConflictAction: 'ignore' })

/** Forgets that a viewer is revoked. False if the viewer was not. */
export const deleteRevokedViewer = async (
  em: EntityManager,
  viewer: { accountId: number; viewerId: string },
): Promise<boolean> => (await em.nativeDelete(RevokedViewer, viewer)) > 0
