import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { RevokedViewer } from '../entities/account.ts'
import { countAffected } from '../queries.ts'

/** Records that a viewer is revoked. A viewer who is revoked already keeps the time of the first revocation. */
export const insertRevokedViewer = (
  em: EntityManager,
  viewer: { accountId: number; viewerId: string },
): Promise<RevokedViewer> => em.upsert(RevokedViewer, viewer, { onConflictAction: 'ignore' })

/** Forgets that a viewer is revoked, also one who was erased. False if the viewer was not. */
export async function deleteRevokedViewer(
  em: EntityManager,
  { accountId, viewerId }: { accountId: number; viewerId: string },
): Promise<boolean> {
  const deleted = await countAffected(
    em,
    sql`delete from revoked_viewer where account_id = ${accountId}
      and viewer_id in (${viewerId}, erased_viewer(${accountId}::int, ${viewerId}::text))`,
  )
  return deleted > 0
}
