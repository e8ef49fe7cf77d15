import { z } from 'zod'
import type { Video } from '../../db/entities/video.ts'
import { framePath } from '../../domain/playback/embed-url.ts'
import { STORYBOARD, STORYBOARD_INDEX } from '../../domain/videos/media-paths.ts'
import { videoId } from './video.ts'

/** Where the storyboard of a video is. */
export const storyboardSchema = z
  .strictObject({
    id: videoId,
    object: z.literal('storyboard'),
    image_url: z.url().nullable().meta({
      description: 'One picture with all tiles, for ten minutes. Null for a video without one.',
    }),
    index_url: z.url().nullable().meta({
      description: 'WebVTT that maps each time to a part of the picture, for ten minutes.',
    }),
  })
  .meta({ id: 'Storyboard' })

/** The addresses of a storyboard. `ticketOf` seals that of a stored object; `embedBase` has no slash at its end. */
export function storyboardView(
  { id, hasStoryboard }: Pick<Video, 'id' | 'hasStoryboard'>,
  embedBase: string,
  ticketOf: (storedName: string) => string,
): z.output<typeof storyboardSchema> {
  const urlOf = (storedName: string): string | null =>
    hasStoryboard ? embedBase + framePath(ticketOf(storedName)) : null
  return {
    id,
    object: 'storyboard',
    image_url: urlOf(STORYBOARD),
    index_url: urlOf(STORYBOARD_INDEX),
  }
}
