import { sql } from 'kysely'
import type { Statement } from '../../domain/xapi/statement-facts.ts'
import { isToBeErasedSql } from '../audience/viewer-erasures.ts'
import type { EntityManager } from '../database.ts'
import { exactlyOne, queries } from '../queries.ts'

/** How many statements of an account wait, up to a bound. */
const WAITING_COUNT_MAX = 10_000

/**
 * The next statements to send, in the order in which they were written. Those of viewers who are to be erased are left out: they are removed
 * within minutes.
 */
export async function readWaitingStatements(
  em: EntityManager,
  accountId: number,
  limit: number,
): Promise<Statement[]> {
  const { rows } = await sql<Statement>`
    select x.id, x.account_id as "accountId", x.viewer_id as "viewerId", x.video_id as "videoId", x.verb, x.facts,
      (extract(epoch from x.at) * 1000)::float8 as "atMs"
    from xapi_statement x
    where x.account_id = ${accountId} and x.refused_at is null and not ${sql.raw(isToBeErasedSql('x.account_id', 'x.viewer_id'))}
    order by x.number limit ${limit}`.execute(queries(em).withoutPlugins())
  return rows
}

/** How many statements of the account wait; at most `WAITING_COUNT_MAX`. */
export async function countWaitingStatements(
  em: EntityManager,
  accountId: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from xapi_statement x
      where x.account_id = ${accountId} and x.refused_at is null limit ${WAITING_COUNT_MAX}) w`.execute(
    queries(em).withoutPlugins(),
  )
  return exactlyOne(rows).count
}
