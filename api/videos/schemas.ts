import { z } from 'zod'
import { iframeHtml } from '../../domain/embed-url.ts'
import { DESCRIPTION_MAX_LENGTH, TITLE_MAX_LENGTH, URL_MAX_LENGTH } from '../../domain/limits.ts'
import { ROW_ID_MAX } from '../../domain/row-id.ts'
import { VIDEO_STATUSES } from '../../domain/video-state.ts'
import { deletedSchema, listOf, listQuery, rowId, rowIdInQuery } from '../list.ts'
import type { PathParameter } from '../operation.ts'
import { text, timestamp } from '../text.ts'

/** A video's id: 20 characters of lowercase hex. */
export const videoId = z
  .string()
  .regex(/^[0-9a-f]{20}$/, 'must be a video id: 20 characters of lowercase hex')
  .meta({ description: 'Video id.', example: '3f1c9a7be04d5628c1d0' })

/** `{id}` of a path below /v1/videos. */
export const videoIdParameter: PathParameter<string> = {
  schema: videoId,
  notFound: 'video_not_found',
}

const TITLE_EXAMPLE = 'Opening night'
const EMBED_EXAMPLE = 'https://play.example.com/3f1c9a7be04d5628c1d0/MQ%3D%3D'
const title = text({ maxLength: TITLE_MAX_LENGTH, example: TITLE_EXAMPLE })
const description = text({ maxLength: DESCRIPTION_MAX_LENGTH, mayBeEmpty: true })
const status = z.enum(VIDEO_STATUSES)
/** One that cannot be is answered like one that is not there. */
const folderId = z.int().meta({ minimum: 1, maximum: ROW_ID_MAX, example: 7 }).nullable().optional()

/** Body of POST /v1/videos. The link's own rules, its length too, are the egress guard's. */
export const createVideoBody = z.strictObject({
  source_url: z.string().meta({
    description: `Public https link to the file, on port 443 or 8443, at most ${URL_MAX_LENGTH} characters.`,
    example: 'https://files.example.com/film.mp4',
  }),
  title: title.optional().meta({ description: 'The file name in the link where it is left out.' }),
  description: description.optional(),
  folder_id: folderId.meta({ description: 'An existing folder of the account; null: in none.' }),
})

/** Body of PATCH /v1/videos/{id}; what is left out stays as it is. */
export const updateVideoBody = z.strictObject({
  title: title.optional(),
  description: description.optional(),
  folder_id: folderId.meta({ description: 'Null takes the video out of its folder.' }),
})

/** Query of GET /v1/videos. */
export const listVideosQuery = listQuery(videoId, {
  status: status.optional(),
  folder_id: rowIdInQuery.optional(),
})

const duration = z
  .number()
  .nullable()
  .meta({ description: 'Seconds; null until known.', example: 61.44 })
const embedUrl = z.url().meta({
  description: 'Usable from creation on.',
  example: EMBED_EXAMPLE,
})

/** The video object (spec, "Video"; design, section 7). */
export const videoSchema = z
  .strictObject({
    id: videoId,
    object: z.literal('video'),
    status,
    title: z.string().meta({ example: TITLE_EXAMPLE }),
    description: z.string().meta({ example: '' }),
    folder_id: rowId.nullable(),
    embed_url: embedUrl,
    duration,
    size_bytes: z.int().meta({
      description: 'Bytes stored for the video; 0 until it is ready.',
      example: 48_211_004,
    }),
    poster_url: z.url().nullable().meta({
      description: 'Null until the video is ready.',
      example: 'https://play.example.com/posters/3f1c9a7be04d5628c1d0.jpg',
    }),
    width: z.int().nullable().meta({ example: 1280 }),
    height: z.int().nullable().meta({ example: 720 }),
    resolutions: z
      .array(z.int())
      .meta({ description: 'Short sides that already play.', example: [240, 360, 480, 720] }),
    caption_count: z.int(),
    chapter_count: z.int(),
    moment_count: z.int(),
    error: z
      .strictObject({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Why the video failed.' }),
    created_at: timestamp('When the video was created.'),
    updated_at: timestamp('When it was changed last.'),
  })
  .meta({ id: 'Video' })

/** The deliberately small object of GET /v1/videos/{id}/status (spec, "Video status"). */
export const videoStatusSchema = z
  .strictObject({
    id: videoId,
    object: z.literal('video_status'),
    status,
    duration,
    size_bytes: z.int(),
    updated_at: timestamp('When it was changed last.'),
  })
  .meta({ id: 'VideoStatus' })

/** What the document says of `iframe_html`. */
export const iframeHtmlMeta = {
  description:
    "The smallest iframe that plays the video. Its title, for screen readers, is the video's.",
  example: iframeHtml(EMBED_EXAMPLE, TITLE_EXAMPLE),
}

/** The embed URL with an iframe snippet. */
export const videoEmbedSchema = z
  .strictObject({
    id: videoId,
    object: z.literal('video_embed'),
    embed_url: embedUrl,
    iframe_html: z.string().meta(iframeHtmlMeta),
  })
  .meta({ id: 'VideoEmbed' })

export const videoListSchema = listOf(videoSchema).meta({ id: 'VideoList' })
export const deletedVideoSchema = deletedSchema('video', videoId).meta({ id: 'DeletedVideo' })
