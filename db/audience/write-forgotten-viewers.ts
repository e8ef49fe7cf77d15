import { sql } from 'kysely'
import { DASHBOARD_VIEWER_PREFIX } from '../../domain/settings/preview-look.ts'
import type { EntityManager } from '../database.ts'
import { countAffected, queries } from '../queries.ts'
import { placeSql, type SessionPlace } from './sessions-to-count.ts'

/**
 * Takes the viewers and the stretches out of up to `limit` sessions of an account, in the order of their start, behind a place. Returns the
 * place of the last one; null when none is left. Sessions that are not counted yet keep their viewers until they are.
 */
export async function forgetViewersOfSessions(
  em: EntityManager,
  accountId: number,
  after: SessionPlace | null,
  limit: number,
): Promise<SessionPlace | null> {
  const { rows } = await sql<SessionPlace & { count: number }>`
    with batch as materialized (
      select id, started_at, viewer_id is not null and not is_open and not starts_with(viewer_id, ${DASHBOARD_VIEWER_PREFIX}) as is_named
      from playback_record where account_id = ${accountId}
        and (started_at, id) > ${placeSql(after)}
      order by started_at, id limit ${limit}
    ), forgotten as (
      update playback_record s set viewer_id = null, stretches = null from batch b
      where b.is_named and s.id = b.id and s.started_at = b.started_at
    )
    select id, (extract(epoch from started_at) * 1000)::float8 as "startedAtMs", (select count(*)::int from batch) as count
    from batch order by started_at desc, id desc limit 1`.execute(queries(em).withoutPlugins())
  const [last] = rows
  return last?.count === limit ? { id: last.id, startedAtMs: last.startedAtMs } : null
}

/** Forgets viewers in up to `limit` rows of an account; returns how many. */
type ForgetRows = (em: EntityManager, accountId: number, limit: number) => Promise<number>

const deleteRows =
  (table: string): ForgetRows =>
  async (em, accountId, limit) => {
    return countAffected(
      em,
      sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where account_id = ${accountId} limit ${limit}))`,
    )
  }

const unnameReports: ForgetRows = async (em, accountId, limit) => {
  return countAffected(
    em,
    sql`
    update playback_report set viewer_id = null where ctid = any(array(
      select ctid from playback_report where account_id = ${accountId} and viewer_id is not null limit ${limit}))`,
  )
}

/** What an account that keeps totals only forgets of its viewers, besides their sessions. */
export const FORGOTTEN: readonly ForgetRows[] = [
  deleteRows('viewer_progress'),
  deleteRows('viewer'),
  deleteRows('xapi_statement'),
  unnameReports,
]
