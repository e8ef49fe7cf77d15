import type { VideoWithMedia } from '../../db/backup/videos.ts'
import type { ChunkFacts } from '../../domain/encoding/join-chunks.ts'
import { partPrefix, segmentKey, segmentName } from '../../domain/videos/media-paths.ts'
import type { Rendition } from '../../domain/videos/rendition.ts'

/** The names of the renditions of a video, published or in work, that lack objects which its rows name. */
export function incompleteRenditions(
  { id, renditions, chunks }: VideoWithMedia,
  has: (key: string) => boolean,
): string[] {
  const published = renditions.filter((one) => !renditionKeys(id, one).every(has))
  const recorded = chunks.filter(({ name, facts }) => !chunkKeys(id, name, facts).every(has))
  return [...new Set([...published, ...recorded].map(({ name }) => name))]
}

const renditionKeys = (videoId: string, rendition: Rendition): string[] =>
  Array.from({ length: rendition.segments.length + 1 }, (_, number) =>
    segmentKey(videoId, rendition, number),
  )

/** Only the first chunk has an initialisation segment. */
function chunkKeys(
  videoId: string,
  name: string,
  { token, firstSegment, rendition }: ChunkFacts,
): string[] {
  const numbers = rendition.segments.map((_, index) => firstSegment + index)
  return [...(firstSegment === 1 ? [0] : []), ...numbers].map(
    (number) => partPrefix(videoId, name, token) + segmentName(number),
  )
}
