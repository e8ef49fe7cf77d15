import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** The chunks of a video that viewers have watched or waited for in the last 30 seconds. Players say every few seconds where they are. */
export async function findPlayheads(em: EntityManager, videoId: string): Promise<number[]> {
  const rows = await queries(em)
    .selectFrom('playhead')
    .select('index')
    .where('videoId', '=', videoId)
    .where(sql<boolean>`seen_at > now() - interval '30 seconds'`)
    .execute()
  return rows.map(({ index }) => index)
}
