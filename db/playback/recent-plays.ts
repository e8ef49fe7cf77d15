import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** A host that embedded videos of an account, and how many playback sessions it had. */
export interface RecentHost {
  host: string
  playCount: number
}

/**
 * The hosts that embedded the account's videos in the last 24 hours, most used first; at most `limit`, and
 * without `dashboardHost`.
 */
export const listRecentHosts = (
  em: EntityManager,
  accountId: number,
  { dashboardHost, limit }: { dashboardHost: string; limit: number },
): Promise<RecentHost[]> =>
  queries(em)
    .selectFrom('playback_record')
    .select([sql<string>`referer_host`.as('host'), sql<number>`count(*)::int`.as('playCount')])
    .where('accountId', '=', accountId)
    .where('startedAt', '>', sql<Date>`now() - interval '24 hours'`)
    .where('refererHost', 'is not', null)
    .where('refererHost', '!=', dashboardHost)
    .groupBy('refererHost')
    .orderBy('playCount', 'desc')
    .orderBy('refererHost')
    .limit(limit)
    .execute()

/**
 * How many playback sessions of the account began in the last 24 hours without a viewer, that is without a
 * valid token; those on `dashboardHost` are left out.
 */
export async function countPlaysWithoutToken(
  em: EntityManager,
  accountId: number,
  dashboardHost: string,
): Promise<number> {
  const { playCount } = await queries(em)
    .selectFrom('playback_record')
    .select(sql<number>`count(*)::int`.as('playCount'))
    .where('accountId', '=', accountId)
    .where('startedAt', '>', sql<Date>`now() - interval '24 hours'`)
    .where('viewerId', 'is', null)
    .where('refererHost', 'is distinct from', dashboardHost)
    .executeTakeFirstOrThrow()
  return playCount
}
