import type { Selectable } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries, type Tables } from '../queries.ts'

export type SourceWrite = Selectable<Tables['source_write']>

/** Another process has taken over the source, or what was stored of it is gone: open it again. */
export class SourceWriteLostError extends Error {
  override name = 'SourceWriteLostError'
}

/** What is recorded of a source that still arrives, and of which file it is; null if nothing is. */
export async function findSourceWrite(
  em: EntityManager,
  videoId: string,
): Promise<Pick<SourceWrite, 'offsetBytes' | 'validator'> | null> {
  const row = await queries(em)
    .selectFrom('source_write')
    .select(['offsetBytes', 'validator'])
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  return row ?? null
}
