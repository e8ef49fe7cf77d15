import { sql } from 'kysely'
import type { ChunkFacts } from '../../domain/encoding/join-chunks.ts'
import {
  completeTrack,
  trackOf,
  watchableMs,
  type GrowingTrack,
  type GrowingTracks,
  type VideoOutline,
} from '../../domain/playback/growing-video.ts'
import type { EncodedPart } from '../../domain/videos/preparation.ts'
import type { Rendition as RenditionFacts } from '../../domain/videos/rendition.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** A video that may still be encoded, and what of it is published. */
export interface GrowingVideo {
  /** Null while the video cannot be played in parts, or not yet. */
  tracks: GrowingTracks | null
  /** How the video is encoded; null for one that is encoded whole. */
  outline: VideoOutline | null
}

/** The renditions of a video that may grow: its first rung and its audio. Null when the video is deleted or has failed. */
export async function findGrowingVideo(
  em: EntityManager,
  videoId: string,
): Promise<GrowingVideo | null> {
  const row = await queries(em)
    .selectFrom('video as v')
    .leftJoin('growing_film as g', 'g.videoId', 'v.id')
    .select('g.outline')
    .where('v.id', '=', videoId)
    .where('v.deletedAt', 'is', null)
    .where('v.status', '!=', 'failed')
    .executeTakeFirst()
  if (!row) return null
  const { outline } = row
  return { outline, tracks: outline && (await readVideo(em, videoId, outline)) }
}

async function readVideo(
  em: EntityManager,
  videoId: string,
  outline: VideoOutline,
): Promise<GrowingTracks | null> {
  // In this order: a rendition that is published between both reads is then in one of them.
  const chunks = await findChunksOf(em, videoId, outline)
  const published = await findPublishedOf(em, videoId, outline)
  const find = (name: string): GrowingTrack | null => {
    const rendition = published.find((one) => one.name === name)
    return rendition
      ? completeTrack(rendition)
      : trackOf(chunks.flatMap((one) => (one.name === name ? one.facts : [])))
  }
  const picture = find(outline.rung)
  const audio = outline.audio.flatMap((name) => find(name) ?? [])
  if (!picture || audio.length < outline.audio.length) return null
  return { outline, picture, audio }
}

const findPublishedOf = async (
  em: EntityManager,
  videoId: string,
  { rung, audio }: VideoOutline,
): Promise<RenditionFacts[]> => {
  const rows = await queries(em)
    .selectFrom('rendition')
    .select('facts')
    .where('videoId', '=', videoId)
    .where('name', 'in', [rung, ...audio])
    .execute()
  return rows.map(({ facts }) => facts)
}

/** Leaves out the chunks of a plan of the picture that was given up. */
const findChunksOf = (
  em: EntityManager,
  videoId: string,
  { rung, audio, chunks }: VideoOutline,
): Promise<{ name: string; facts: ChunkFacts }[]> =>
  queries(em)
    .selectFrom('rendition_chunk')
    .select(['name', 'facts'])
    .where('videoId', '=', videoId)
    .where((eb) =>
      eb.or([
        eb.and([eb('name', '=', rung), eb('count', '=', chunks.count)]),
        ...(audio.length > 0 ? [eb('name', 'in', audio)] : []),
      ]),
    )
    .orderBy('name')
    .orderBy('index')
    .execute()

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
