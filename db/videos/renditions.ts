import type { Rendition as RenditionFacts } from '../../domain/videos/rendition.ts'
import type { EntityManager } from '../database.ts'
import { Rendition } from '../entities/video.ts'

/** The published renditions of a video. */
export async function findPublished(em: EntityManager, videoId: string): Promise<RenditionFacts[]> {
  const rows = await em.find(Rendition, { videoId })
  return rows.map(({ facts }) => facts)
}

/** True if the rendition is published. */
export const isPublished = async (
  em: EntityManager,
  videoId: string,
  name: string,
): Promise<boolean> => (await em.count(Rendition, { videoId, name })) > 0

/** What describes the objects of a video, and how they are made. */
export const TABLES_OF_RENDITIONS = [
  'rendition',
  'rendition_chunk',
  'growing_film',
  'chunk_claim',
  'later_chunk_claim',
] as const
