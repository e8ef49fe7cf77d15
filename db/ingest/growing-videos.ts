import { sql } from 'kysely'
import {
  watchableMs,
  type GrowingTracks,
  type VideoOutline,
} from '../../domain/playback/growing-video.ts'
import type { EncodedPart } from '../../domain/videos/preparation.ts'
import type { VideoStatus } from '../../domain/videos/video-state.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { newGrowingMemory, readTracks, type GrowingMemory } from './growing-tracks.ts'

/** A video that may still be encoded, and what of it is published. */
export interface GrowingVideo {
  status: VideoStatus
  /** How many are published. */
  renditions: number
  /** Null while the video cannot be played in parts, or not yet. */
  tracks: GrowingTracks | null
  /** How the video is encoded; null for one that is encoded whole. */
  outline: VideoOutline | null
}

/**
 * The renditions of a video that may grow: its first rung and its audio. Null when the video is deleted. Reads
 * the facts of those parts only that `memory` does not have; what is returned is the same as without it.
 */
export async function findGrowingVideo(
  em: EntityManager,
  videoId: string,
  memory: GrowingMemory = newGrowingMemory(),
): Promise<GrowingVideo | null> {
  const row = await queries(em)
    .selectFrom('video as v')
    .leftJoin('growing_film as g', 'g.videoId', 'v.id')
    .select((eb) => [
      'g.outline',
      'v.status',
      eb
        .selectFrom('rendition as r')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('r.videoId', '=', 'v.id')
        .$asScalar()
        .$notNull()
        .as('renditions'),
    ])
    .where('v.id', '=', videoId)
    .where('v.deletedAt', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const outline = row.status === 'failed' ? null : row.outline
  const tracks = outline && (await readTracks(em, videoId, { outline, memory }))
  return { ...row, outline, tracks }
}

/** How much of the beginning of videos plays while they are encoded, by their ids; those that do not play are left out. */
export async function readWatchable(
  em: EntityManager,
  videos: readonly { id: string; published: string[] }[],
): Promise<Map<string, number>> {
  if (videos.length === 0) return new Map()
  const rows = await queries(em)
    .selectFrom('growing_film as g')
    .innerJoin('rendition_chunk as c', 'c.videoId', 'g.videoId')
    .select([
      'g.videoId',
      'g.outline',
      'c.name',
      'c.count',
      'c.index',
      sql<number>`(c.facts -> 'rendition' ->> 'durationMs')::float8`.as('durationMs'),
    ])
    .where(
      'g.videoId',
      'in',
      videos.map(({ id }) => id),
    )
    .execute()
  const watchable = new Map<string, number>()
  for (const { id, published } of videos) {
    const own = rows.filter(({ videoId }) => videoId === id)
    const outline = own[0]?.outline
    if (!outline) continue
    const recorded = own.filter(
      ({ name, count }) => name !== outline.rung || count === outline.chunks.count,
    )
    watchable.set(id, watchableMs(outline, recorded, published))
  }
  return watchable
}

/** What the encoders of these renditions have reported, part by part. */
export const findParts = (
  em: EntityManager,
  videoId: string,
  names: readonly string[],
): Promise<EncodedPart[]> =>
  queries(em)
    .selectFrom('ingest_progress')
    .select([
      'name',
      'part as index',
      'fraction',
      sql<number>`extract(epoch from updated_at - started_at)::float8 * 1000`.as('elapsedMs'),
      sql<number>`extract(epoch from now() - updated_at)::float8 * 1000`.as('silentMs'),
    ])
    .where('videoId', '=', videoId)
    .where('name', 'in', [...names, ''])
    .where('stage', '=', 'running')
    .execute()
