import { sql } from 'kysely'
import type { Statement } from '../../domain/xapi/statement-facts.ts'
import { records } from '../audience/records.ts'
import { isToBeErasedSql } from '../audience/viewer-erasures.ts'
import type { EntityManager } from '../database.ts'
import { countAffected, queries } from '../queries.ts'

/**
 * Queues statements for the record store. Leaves those that are queued or refused as they are, and writes none about a viewer whose erasure is
 * requested.
 */
export async function insertStatements(
  em: EntityManager,
  statements: readonly Statement[],
): Promise<void> {
  if (statements.length === 0) return
  const types = {
    id: 'uuid',
    accountId: 'int',
    viewerId: 'text',
    videoId: 'text',
    verb: 'text',
    atMs: 'float8',
    facts: 'jsonb',
  }
  await sql`
    insert into xapi_statement (id, account_id, viewer_id, video_id, verb, at, facts)
    select d.id, d."accountId", d."viewerId", d."videoId", d.verb, to_timestamp(d."atMs" / 1000), d.facts
    from ${records(statements, types)}
    where not ${sql.raw(isToBeErasedSql('d."accountId"', 'd."viewerId"'))}
    on conflict (id) do nothing`.execute(queries(em))
}

/** Deletes statements that the record store has; returns how many there were. */
export async function deleteStatements(em: EntityManager, ids: readonly string[]): Promise<number> {
  return countAffected(
    em,
    sql`
    delete from xapi_statement where id = any(${ids}::uuid[])`,
  )
}

/** Marks a statement as refused: it is not sent again. Returns false if it does not wait any more. */
export async function refuseStatement(em: EntityManager, id: string): Promise<boolean> {
  return (
    (await countAffected(
      em,
      sql`
    update xapi_statement set refused_at = now() where id = ${id}::uuid and refused_at is null`,
    )) > 0
  )
}

/**
 * Deletes those of the next `limit` waiting statements of an account that were written for a record store that it has no more; returns how many.
 */
export async function deleteAbandonedStatements(
  em: EntityManager,
  accountId: number,
  limit: number,
): Promise<number> {
  return countAffected(
    em,
    sql`
    delete from xapi_statement where id = any(array(
      select n.id from (select x.id, x.created_at from xapi_statement x
        where x.account_id = ${accountId} and x.refused_at is null order by x.number limit ${limit}) n
      where n.created_at < coalesce(
        (select r.created_at from record_store r where r.account_id = ${accountId}), 'infinity')))`,
  )
}

/** Deletes up to `limit` statements that are `days` old, and counts those that still waited; returns how many it deleted. */
export async function dropOldStatements(
  em: EntityManager,
  days: number,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with dropped as (
      delete from xapi_statement where id = any(array(select x.id from xapi_statement x
        where x.created_at < now() - ${days}::int * interval '1 day'
        order by x.created_at limit ${limit} for update skip locked))
      returning account_id, refused_at
    ), counted as (
      update record_store r set dropped_count = r.dropped_count + d.count
      from (select account_id, count(*) as count from dropped where refused_at is null group by account_id) d
      where r.account_id = d.account_id
    )
    select count(*)::int as count from dropped`.execute(queries(em).withoutPlugins())
  return rows[0]?.count ?? 0
}
