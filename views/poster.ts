import { z } from 'zod'
import type { Video } from '../db/entities/video.ts'
import { framePath } from '../domain/embed-url.ts'
import { frameNumber } from '../domain/media-paths.ts'
import { posterUrl, videoId } from './video.ts'

/** The poster of a video, with the frames that it can be chosen from. */
export const posterSchema = z
  .strictObject({
    id: videoId,
    object: z.literal('poster'),
    url: z.url().nullable().meta({ description: 'Null until the video is ready.' }),
    automatic_url: z
      .url()
      .nullable()
      .meta({ description: 'The picture that the ingest chose; opens it for ten minutes.' }),
    frame: z
      .int()
      .nullable()
      .meta({ description: 'The chosen frame; null for the picture that the ingest chose.' }),
    frames: z
      .array(
        z.strictObject({
          number: z.int().min(1),
          url: z.url().meta({ description: 'Opens the picture for ten minutes.' }),
        }),
      )
      .meta({
        description:
          'Evenly spaced pictures of the video. Empty until it is ready, and for videos from before frames were kept.',
      }),
  })
  .meta({ id: 'Poster' })

/** The poster. `ticketOf` seals the address of a frame; `embedBase` has no slash at its end. */
export const posterView = (
  video: Pick<Video, 'id' | 'hasPoster' | 'posterName' | 'posterVersion' | 'frameCount'>,
  embedBase: string,
  ticketOf: (number: number) => string,
): z.output<typeof posterSchema> => ({
  id: video.id,
  object: 'poster',
  url: posterUrl(video, embedBase),
  automatic_url: video.hasPoster ? embedBase + framePath(ticketOf(0)) : null,
  frame: frameNumber(video.posterName),
  frames: Array.from({ length: video.frameCount }, (_, index) => ({
    number: index + 1,
    url: embedBase + framePath(ticketOf(index + 1)),
  })),
})
