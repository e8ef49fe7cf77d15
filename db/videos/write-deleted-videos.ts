import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { TABLES_OF_RENDITIONS } from './renditions.ts'
import { TABLES_OF_A_VIDEO } from './videos.ts'

/**
 * Deletes the rows of removed videos, with what an activity wrote after their deletion. Call it in a transaction, and
 * only for videos without playback sessions.
 */
export async function deleteRowsOfVideos(em: EntityManager, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  for (const table of [...TABLES_OF_A_VIDEO, ...TABLES_OF_RENDITIONS] as const)
    await queries(em).deleteFrom(table).where('videoId', 'in', ids).execute()
  await queries(em).deleteFrom('video').where('id', 'in', ids).execute()
}
