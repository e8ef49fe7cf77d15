import { sql } from 'kysely'
import type { ChunkFacts } from '../../domain/encoding/join-chunks.ts'
import type { EntityManager } from '../database.ts'
import { RenditionChunk } from '../entities/video.ts'
import { exactlyOne, queries } from '../queries.ts'

/**
 * The chunks of a rendition by one plan. A late attempt of a plan that was given up can still record a chunk, which
 * must not count as one of the new plan.
 */
export interface PlannedRendition {
  videoId: string
  name: string
  /** How many chunks the plan has; `OPEN_COUNT` for the parts of audio. */
  count: number
}

/** Identifies a chunk of a rendition; `index` is from 0. */
export interface ChunkId extends PlannedRendition {
  index: number
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

/** The indexes of the recorded chunks of a rendition; empty once it is published. */
export async function findRecordedChunks(
  em: EntityManager,
  { videoId, name, count }: PlannedRendition,
): Promise<number[]> {
  const rows = await queries(em)
    .selectFrom('rendition_chunk')
    .select('index')
    .where('videoId', '=', videoId)
    .where('name', '=', name)
    .where('count', '=', count)
    .execute()
  return rows.map(({ index }) => index)
}

/** The recorded chunks of a rendition, in the order of the video. */
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
