import { sql } from 'kysely'
import type { ChunkFacts } from '../../domain/encoding/join-chunks.ts'
import type { EntityManager } from '../database.ts'
import { RenditionChunk } from '../entities/video.ts'
import { queries } from '../queries.ts'
import type { ChunkId } from './rendition-chunks.ts'

/** Records a chunk. Returns false if another attempt has recorded it. */
export async function insertChunk(
  em: EntityManager,
  id: ChunkId,
  facts: ChunkFacts,
): Promise<boolean> {
  const inserted = await queries(em)
    .insertInto('rendition_chunk')
    .values({ ...id, facts, sizeBytes: facts.rendition.sizeBytes })
    .onConflict((conflict) => conflict.doNothing())
    .returning('index')
    .execute()
  return inserted.length > 0
}

/** Deletes the rows of the chunks of one rendition; their objects stay. */
export async function deleteChunks(
  em: EntityManager,
  videoId: string,
  name: string,
): Promise<void> {
  await em.nativeDelete(RenditionChunk, { videoId, name })
}

/** Deletes the rows of the chunks of all rungs of a video that are not published; those of its audio stay. */
export async function deleteRungChunks(em: EntityManager, videoId: string): Promise<void> {
  await queries(em)
    .deleteFrom('rendition_chunk')
    .where('videoId', '=', videoId)
    .where(sql<boolean>`facts -> 'rendition' ->> 'kind' = 'video'`)
    .execute()
}
