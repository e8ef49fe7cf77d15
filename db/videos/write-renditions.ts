import type { Rendition as RenditionFacts } from '../../domain/videos/rendition.ts'
import type { EntityManager } from '../database.ts'
import { Rendition } from '../entities/video.ts'
import { deleteChunks } from '../ingest/write-rendition-chunks.ts'
import { queries } from '../queries.ts'
import { TABLES_OF_RENDITIONS } from './renditions.ts'

/** Records a published rendition of a video; replaces one of the same name. */
export async function putRendition(
  em: EntityManager,
  videoId: string,
  facts: RenditionFacts,
): Promise<void> {
  await queries(em)
    .insertInto('rendition')
    .values({ videoId, name: facts.name, facts })
    .onConflict((conflict) =>
      conflict
        .columns(['videoId', 'name'])
        .doUpdateSet((eb) => ({ facts: eb.ref('excluded.facts') })),
    )
    .execute()
}

/** Deletes the rows of a video's renditions and of their chunks; their objects stay. */
export async function deleteRenditions(em: EntityManager, videoId: string): Promise<void> {
  for (const table of TABLES_OF_RENDITIONS)
    await queries(em).deleteFrom(table).where('videoId', '=', videoId).execute()
}

/** Deletes the row of one rendition, if it is published, and those of its chunks; their objects stay. */
export async function deleteRendition(
  em: EntityManager,
  videoId: string,
  name: string,
): Promise<void> {
  await deleteChunks(em, videoId, name)
  await em.nativeDelete(Rendition, { videoId, name })
}
