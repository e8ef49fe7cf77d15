import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { countAffected } from '../queries.ts'
import { ownKeptDays } from './viewer-data.ts'

/**
 * Deletes up to `limit` rows of viewers who were last seen longer ago than their account keeps them, which is at most `keptDays`. Returns
 * how many.
 */
export const expiredViewers =
  (table: 'viewer' | 'viewer_progress', keptDays: number) =>
  async (em: EntityManager, limit: number): Promise<number> => {
    return countAffected(
      em,
      sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select e.ctid from account a cross join lateral (
          select v.ctid from ${sql.table(table)} v where v.account_id = a.id
            and v.last_seen_at < now() - least(${keptDays}::int, ${sql.raw(ownKeptDays('a', 'progress'))}) * interval '1 day'
          order by v.last_seen_at limit ${limit} for update skip locked) e
        limit ${limit}))`,
    )
  }

/**
 * Deletes up to `limit` sessions of accounts that keep theirs for a time of their own; returns how many. One that is not counted yet
 * stays. Others leave with their partition, when the time of the installation is over.
 */
export async function deleteExpiredSessions(em: EntityManager, limit: number): Promise<number> {
  const days = sql.raw(ownKeptDays('a', 'sessions'))
  return countAffected(
    em,
    sql`
    delete from playback_record d using (
      select e.id, e.started_at from account a cross join lateral (
        select s.id, s.started_at from playback_record s
        where s.account_id = a.id and s.started_at < now() - ${days} * interval '1 day' and not s.is_open
        order by s.started_at limit ${limit} for update skip locked) e
      where ${days} is not null limit ${limit}) e
    where d.id = e.id and d.started_at = e.started_at`,
  )
}
