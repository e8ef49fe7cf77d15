import { sql } from 'kysely'
import type { ChunkFacts } from '../domain/join-chunks.ts'
import type { EntityManager } from './database.ts'
import { RenditionChunk } from './entities/video.ts'
import { exactlyOne, queries } from './queries.ts'

/**
 * The chunks of a rendition by one plan. A late attempt of a plan that was given up can still record a chunk, which
 * must not count as one of the new plan.
 */
export interface PlannedRendition {
  videoId: string
  name: string
  /** How many chunks the plan has. */
  count: number
}

/** Identifies a chunk of a rendition; `index` is from 0. */
export interface ChunkId extends PlannedRendition {
  index: number
}

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

/** True if the chunk is recorded, or its whole rendition is published. */
export async function isChunkRecorded(
  em: EntityManager,
  { videoId, name, count, index }: ChunkId,
): Promise<boolean> {
  const row = await queries(em)
    .selectNoFrom((eb) =>
      eb
        .or([
          eb.exists(
            eb
              .selectFrom('rendition_chunk')
              .select('index')
              .where('videoId', '=', videoId)
              .where('name', '=', name)
              .where('count', '=', count)
              .where('index', '=', index),
          ),
          eb.exists(
            eb
              .selectFrom('rendition')
              .select('name')
              .where('videoId', '=', videoId)
              .where('name', '=', name),
          ),
        ])
        .as('isRecorded'),
    )
    .execute()
  return Boolean(exactlyOne(row).isRecorded)
}

/** How many chunks of a rendition are recorded. */
export const countChunks = (em: EntityManager, planned: PlannedRendition): Promise<number> =>
  em.count(RenditionChunk, { ...planned })

/** The recorded chunks of a rendition, in the order of the film. */
export async function findChunks(
  em: EntityManager,
  planned: PlannedRendition,
): Promise<ChunkFacts[]> {
  const rows = await em.find(RenditionChunk, { ...planned }, { orderBy: { index: 'asc' } })
  return rows.map(({ facts }) => facts)
}

/** The bytes of all recorded chunks of a video whose renditions are not published. */
export async function sumChunkBytes(em: EntityManager, videoId: string): Promise<number> {
  const rows = await queries(em)
    .selectFrom('rendition_chunk')
    .select(sql<string>`coalesce(sum(size_bytes), 0)`.as('bytes'))
    .where('videoId', '=', videoId)
    .execute()
  return Number(exactlyOne(rows).bytes)
}

/** Deletes the rows of the chunks of one rendition, or of all of a video; their objects stay. */
export async function deleteChunks(
  em: EntityManager,
  videoId: string,
  name?: string,
): Promise<void> {
  await em.nativeDelete(RenditionChunk, name === undefined ? { videoId } : { videoId, name })
}
