import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { RevokedViewer } from '../entities/account.ts'
import { findPage, sqlDirection, type Page, type PageRequest } from '../page.ts'
import { queries } from '../queries.ts'

/** SQL that is true if a viewer is revoked, also one who was erased since. The parameters are SQL too. */
export const isRevokedSql = (accountId: string, viewerId: string): string => `
  exists (select from revoked_viewer x where x.account_id = ${accountId}
    and x.viewer_id in (${viewerId}, erased_viewer(${accountId}, ${viewerId})))`

/**
 * A page of the account's revoked viewers, most recently revoked first; the cursor is a viewer id. Null if
 * the cursor is not one of them.
 */
export async function pageRevokedViewers(
  em: EntityManager,
  accountId: number,
  request: PageRequest<string>,
): Promise<Page<RevokedViewer> | null> {
  const cursor = request.startingAfter ?? request.endingBefore
  if (cursor !== undefined && !(await findRevokedViewer(em, accountId, cursor))) return null
  return findPage(request, ({ direction, limit }) => {
    const { beyond, order } = sqlDirection(direction)
    let query = queries(em)
      .selectFrom('revoked_viewer')
      .selectAll()
      .where('accountId', '=', accountId)
    if (cursor !== undefined)
      query = query.where(
        sql<boolean>`(revoked_at, viewer_id) ${beyond} (select c.revoked_at, c.viewer_id
          from revoked_viewer c where c.account_id = ${accountId} and c.viewer_id = ${cursor})`,
      )
    return query.orderBy('revokedAt', order).orderBy('viewerId', order).limit(limit).execute()
  })
}

/** The viewer if the account has revoked them; null otherwise. */
const findRevokedViewer = (
  em: EntityManager,
  accountId: number,
  viewerId: string,
): Promise<RevokedViewer | null> => em.findOne(RevokedViewer, { accountId, viewerId })
