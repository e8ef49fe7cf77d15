import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { COUNTED_SUMS, eachSum, OPEN_DELTAS, SUM_COLUMNS } from './account-sums.ts'

/** Held by the transaction that folds. Two would lock the rows of accounts in different orders. */
const FOLD_LOCK = 7_201_961

/**
 * Adds up to `limit` deltas to the sums of their accounts, and deletes them in the same statement: no reader sees one twice or
 * not at all. Those of accounts that are not counted yet stay. Returns how many it added; 0 while another process folds.
 */
export const foldDeltas = (em: EntityManager, limit: number): Promise<number> =>
  em.transactional(async (tx) => {
    const rows = await tx.execute<{ isAlone: boolean }[]>(
      'select pg_try_advisory_xact_lock(?) as "isAlone"',
      [FOLD_LOCK],
    )
    if (rows[0]?.isAlone !== true) return 0
    const { rows: folded } = await sql<{ count: number }>`
      with taken as (
        delete from account_sum_delta where (account_id, id) in (
          select d.account_id, d.id from account_sum_delta d join account_sum s on s.account_id = d.account_id limit ${limit})
        returning *
      ), added as (
        select account_id, ${eachSum((name) => `sum(${name}) as ${name}`)} from taken group by account_id
      ), kept as (
        update account_sum s set version = s.version + 1, updated_at = now(),
          ${eachSum((name) => `${name} = s.${name} + a.${name}`)}
        from added a where a.account_id = s.account_id
      )
      select count(*)::int as count from taken`.execute(queries(tx))
    return folded[0]?.count ?? 0
  })

/** Begins to keep the sums of an account that has no videos yet. */
export async function insertSums(em: EntityManager, accountId: number): Promise<void> {
  await queries(em).insertInto('account_sum').values({ accountId }).execute()
}

/**
 * Counts an account and begins to keep its sums. Other transactions may write meanwhile: what this statement does not see
 * yet is in deltas that it does not see either. Does nothing if the sums are kept already.
 */
export async function countAccount(em: EntityManager, accountId: number): Promise<void> {
  await sql`
    insert into account_sum (account_id, ${eachSum((name) => name)})
    select o.account_id, ${eachSum((name) => `t.${name} - p.${name}`)}
    from (select ${accountId}::int as account_id) o, lateral (${COUNTED_SUMS}) t, lateral (${OPEN_DELTAS}) p
    on conflict do nothing`.execute(queries(em))
}

/** How much each sum that was wrong was too large, by its column. */
export type SumDrift = Record<string, number>

/**
 * Compares the sums of an account with its videos and captions, and repairs them. Returns what was wrong; null if nothing was, or if
 * a fold has changed the sums while they were counted. One statement, which sees one moment: a change is in both, the rows and the
 * deltas, or in neither. It writes only to the version that it has seen, so it does not undo a fold.
 */
export async function repairSums(em: EntityManager, accountId: number): Promise<SumDrift | null> {
  const { rows } = await sql<SumDrift>`
    with seen as materialized (
      select o.account_id, o.version, ${eachSum((name) => `t.${name} - p.${name} as ${name}, o.${name} + p.${name} - t.${name} as ${name}_drift`)}
      from account_sum o, lateral (${COUNTED_SUMS}) t, lateral (${OPEN_DELTAS}) p where o.account_id = ${accountId}
    )
    update account_sum s set version = s.version + 1, updated_at = now(), ${eachSum((name) => `${name} = seen.${name}`)}
    from seen where s.account_id = seen.account_id and s.version = seen.version
      and (${sql.raw(SUM_COLUMNS.map((name) => `seen.${name}_drift <> 0`).join(' or '))})
    returning ${eachSum((name) => `seen.${name}_drift::bigint as ${name}`)}`.execute(
    queries(em).withoutPlugins(),
  )
  const [drift] = rows
  return drift
    ? Object.fromEntries(Object.entries(drift).filter(([, amount]) => amount !== 0))
    : null
}
