import { z } from 'zod'
import type { Video } from '../../db/entities/video.ts'
import type { PosterUploadFacts } from '../../db/videos/poster-uploads.ts'
import { framePath } from '../../domain/playback/embed-url.ts'
import { PICTURE_FORMATS } from '../../domain/videos/picture.ts'
import { PICTURE_NAME, picturesOf, POSTER_REFUSALS } from '../../domain/videos/poster-pictures.ts'
import { posterUrl, videoId } from './video.ts'

/** The name of a picture that a poster can be chosen from. */
export const pictureName = z.string().regex(PICTURE_NAME, 'must be the name of a picture').meta({
  description:
    '`automatic` for the picture that the ingest chose, `uploaded` for one that a member sent, or a frame: `frame-1`.',
  example: 'frame-4',
})

/** The poster of a video, with the pictures that it can be chosen from. */
export const posterSchema = z
  .strictObject({
    id: videoId,
    object: z.literal('poster'),
    url: z.url().nullable().meta({ description: 'Null until the video is ready.' }),
    picture: pictureName,
    pictures: z
      .array(
        z.strictObject({
          name: pictureName,
          url: z.url().meta({ description: 'Opens the picture for ten minutes.' }),
        }),
      )
      .meta({
        description:
          'The pictures to choose from. Empty until the video is ready; without frames for videos from before they were kept.',
      }),
  })
  .meta({ id: 'Poster' })

type PosterRow = Pick<
  Video,
  'id' | 'hasPoster' | 'posterName' | 'posterVersion' | 'frameCount' | 'uploadNumber'
>

/** The poster. `ticketOf` seals the address of a stored picture; `embedBase` has no slash at its end. */
export function posterView(
  video: PosterRow,
  embedBase: string,
  ticketOf: (storedName: string) => string,
): z.output<typeof posterSchema> {
  const pictures = picturesOf(video)
  const chosen = pictures.find(({ storedName }) => storedName === video.posterName)
  return {
    id: video.id,
    object: 'poster',
    url: posterUrl(video, embedBase),
    picture: chosen?.name ?? 'automatic',
    pictures: pictures.map(({ name, storedName }) => ({
      name,
      url: embedBase + framePath(ticketOf(storedName)),
    })),
  }
}

/** How far the last uploaded picture of a video is. */
export const posterUploadSchema = z
  .strictObject({
    id: videoId,
    object: z.literal('poster_upload'),
    status: z.enum(['pending', 'failed']).meta({ id: 'PosterUploadStatus' }).nullable().meta({
      description: 'Null if no upload waits and the last one was not refused.',
    }),
    reason: z
      .enum(POSTER_REFUSALS)
      .meta({ id: 'PosterRefusal' })
      .nullable()
      .meta({ description: 'Why it failed.' }),
    format: z.enum(PICTURE_FORMATS).meta({ id: 'PictureFormat' }).nullable(),
    size_bytes: z.int().nullable().meta({ description: 'The size of the file that was sent.' }),
  })
  .meta({ id: 'PosterUpload' })

/** The state of an upload; null if none waits or was refused. */
export const posterUploadView = (
  id: string,
  upload: PosterUploadFacts | null,
): z.output<typeof posterUploadSchema> => ({
  id,
  object: 'poster_upload',
  status: upload && (upload.reason === null ? 'pending' : 'failed'),
  reason: upload?.reason ?? null,
  format: upload?.format ?? null,
  size_bytes: upload?.sizeBytes ?? null,
})
