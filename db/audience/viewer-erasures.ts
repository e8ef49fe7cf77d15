import { sql } from 'kysely'
import type { AccountErasure, ViewerErasure } from '../../domain/audience/viewer-erasure.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** A statement that began before an account kept totals only has ended by then. */
const SETTLED = sql.raw(`(viewer_id is not null or requested_at < now() - interval '10 seconds')`)

/** The erasures that are requested and not done, oldest first; at most `limit`. */
export async function listErasures(
  em: EntityManager,
  limit: number,
): Promise<(ViewerErasure | AccountErasure)[]> {
  const { rows } = await sql<ViewerErasure | AccountErasure>`
    select id::float8 as id, account_id as "accountId", viewer_id as "viewerId", requested_at as "requestedAt"
    from viewer_erasure where ${SETTLED} order by id limit ${limit}`.execute(
    queries(em).withoutPlugins(),
  )
  return rows
}

/** The name under which a revocation of an erased viewer stays. */
export async function erasedName(
  em: EntityManager,
  accountId: number,
  viewerId: string,
): Promise<string> {
  const [row] = await em.execute<{ name: string }[]>('select erased_viewer(?, ?) as name', [
    accountId,
    viewerId,
  ])
  if (!row) throw new Error('erased_viewer returned no row')
  return row.name
}

/** Condition that the erasure of a viewer, or of all viewers of the account, is requested and not done. */
export const isToBeErasedSql = (accountId: string, viewerId: string): string =>
  `exists (select from viewer_erasure e where e.account_id = ${accountId}
    and (e.viewer_id = ${viewerId} or e.viewer_id is null))`
