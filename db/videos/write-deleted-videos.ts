import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { TABLES_OF_RENDITIONS } from './renditions.ts'
import { TABLES_OF_A_VIDEO } from './videos.ts'

/** The sums of whole accounts stay. */
const AUDIENCE_OF_A_VIDEO = [
  'audience_hour',
  'audience_day',
  'audience_value',
  'audience_retention',
  'audience_sketch',
  'audience_month',
  'audience_peak',
  'viewer_progress',
] as const

/**
 * Deletes the rows of removed videos, with what an activity wrote after their deletion. Call it in a transaction, and
 * only for videos without playback sessions.
 */
export async function deleteRowsOfVideos(em: EntityManager, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  for (const table of [...TABLES_OF_A_VIDEO, ...TABLES_OF_RENDITIONS] as const)
    await queries(em).deleteFrom(table).where('videoId', 'in', ids).execute()
  for (const table of AUDIENCE_OF_A_VIDEO)
    await sql`delete from ${sql.table(table)} t using video v
      where v.id = any(${ids}) and t.account_id = v.account_id and t.video_id = v.id`.execute(
      queries(em),
    )
  await queries(em).deleteFrom('video').where('id', 'in', ids).execute()
}
