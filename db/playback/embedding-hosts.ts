import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** Where a video was played, and how often. */
export interface EmbeddingHosts {
  /** All playback sessions of the time. */
  playCount: number
  /** The hosts with the most plays first; null for players that sent no host. */
  hosts: { host: string | null; playCount: number }[]
}

/**
 * The hosts that embedded a video, counted by the playback sessions of the last `days`; at most `limit` hosts.
 * The plays in the dashboard, on `dashboardHost`, do not count.
 */
export async function readEmbeddingHosts(
  em: EntityManager,
  videoId: string,
  { days, limit, dashboardHost }: { days: number; limit: number; dashboardHost: string },
): Promise<EmbeddingHosts> {
  const rows = await queries(em)
    .selectFrom('playback_record')
    .select([
      'refererHost as host',
      sql<number>`count(*)::int`.as('playCount'),
      sql<number>`(sum(count(*)) over ())::int`.as('total'),
    ])
    .where('videoId', '=', videoId)
    .where('startedAt', '>', sql<Date>`now() - ${days}::int * interval '1 day'`)
    .where(sql<boolean>`referer_host is distinct from ${dashboardHost}`)
    .groupBy('refererHost')
    .orderBy('playCount', 'desc')
    .orderBy('refererHost')
    .limit(limit)
    .execute()
  const hosts = rows.map(({ host, playCount }) => ({ host, playCount }))
  return { playCount: rows[0]?.total ?? 0, hosts }
}
