import { z } from 'zod'
import type { Rendition, Video } from '../../db/entities/video.ts'
import type { VideoDetails } from '../../db/videos/video-details.ts'
import { embedUrl, iframeHtml, posterPath } from '../../domain/playback/embed-url.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { VIDEO_FAILURES } from '../../domain/videos/video-failures.ts'
import type { RecordedProgress } from '../../domain/videos/video-progress.ts'
import { VIDEO_STATUSES } from '../../domain/videos/video-state.ts'
import { VIDEO_WARNING_CODES, warningMessage } from '../../domain/videos/video-warnings.ts'
import { deletedSchema, listSchema } from '../list.ts'
import { openEnumOf, rowId, timestamp } from '../values.ts'
import { ingestProgressSchema, ingestProgressView } from './ingest-progress.ts'
import { ownDataSchema, ownDataView } from './own-data.ts'

/** A video's id: 20 characters of lowercase hex. */
export const videoId = z
  .string()
  .regex(/^[0-9a-f]{20}$/, 'must be a video id: 20 characters of lowercase hex')
  .meta({ description: 'Video id.', example: '3f1c9a7be04d5628c1d0' })

/** Its name is not that of the object `VideoStatus`. */
export const videoStatus = z.enum(VIDEO_STATUSES).meta({ id: 'VideoState' })

const errorCode = openEnumOf(VIDEO_FAILURES, 'Why a video failed.').meta({ id: 'VideoErrorCode' })

const warningCode = z.enum(VIDEO_WARNING_CODES).meta({ id: 'VideoWarningCode' })

export const TITLE_EXAMPLE = 'Opening night'
const EMBED_EXAMPLE = 'https://play.example.com/3f1c9a7be04d5628c1d0/MQ%3D%3D'

const duration = z
  .number()
  .nullable()
  .meta({ description: 'Seconds; null until known.', example: 61.44 })

const embedUrlSchema = z.url().meta({
  description: 'Valid as soon as the video exists.',
  example: EMBED_EXAMPLE,
})

/** The video object (contract, "Video"). */
export const videoSchema = z
  .strictObject({
    id: videoId,
    object: z.literal('video'),
    status: videoStatus,
    title: z.string().meta({ example: TITLE_EXAMPLE }),
    description: z.string().meta({ example: '' }),
    folder_id: rowId.nullable(),
    ...ownDataSchema,
    embed_url: embedUrlSchema,
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
    resolutions: z.array(z.int()).meta({
      description: 'Short sides in pixels of the renditions that play.',
      example: [240, 360, 480, 720],
    }),
    caption_count: z.int(),
    chapter_count: z.int(),
    moment_count: z.int(),
    error: z
      .strictObject({ code: errorCode, message: z.string() })
      .meta({ id: 'VideoError' })
      .nullable()
      .meta({ description: 'Why the video failed.' }),
    warnings: z
      .array(
        z
          .strictObject({
            code: warningCode,
            message: z.string(),
            count: z
              .int()
              .meta({ description: 'Tracks, percent or frames per second, by the code.' }),
          })
          .meta({ id: 'VideoWarning' }),
      )
      .meta({
        description:
          'What the video lacks or shows otherwise than its source, such as damaged parts or dropped tracks. Empty until it is ready.',
        example: [],
      }),
    created_at: timestamp('When the video was created.'),
    updated_at: timestamp('When it was last changed.'),
  })
  .meta({ id: 'Video' })

const cursor = (place: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `${place} It stays valid when that video changes or is deleted.` })

export const videoListSchema = listSchema(videoSchema)
  .extend({
    next_cursor: cursor('The place of the last video, for `starting_after`; null without videos.'),
    previous_cursor: cursor(
      'The place of the first video, for `ending_before`; null without videos.',
    ),
  })
  .meta({ id: 'VideoList' })
export const deletedVideoSchema = deletedSchema('video', videoId).meta({ id: 'DeletedVideo' })

/** The video object. `embedBase` has no slash at its end. */
export function videoView(details: VideoDetails, embedBase: string): z.output<typeof videoSchema> {
  const { video } = details
  return {
    id: video.id,
    object: 'video',
    status: video.status,
    title: video.title,
    description: video.description,
    folder_id: video.folderId,
    ...ownDataView(video),
    embed_url: embedUrl(embedBase, video.id, video.accountId),
    duration: toSeconds(video.durationMs),
    size_bytes: video.sizeBytes,
    poster_url: posterUrl(video, embedBase),
    width: video.width,
    height: video.height,
    resolutions: details.resolutions,
    caption_count: details.captionCount,
    chapter_count: details.chapterCount,
    moment_count: details.momentCount,
    error:
      video.errorCode === null
        ? null
        : { code: video.errorCode, message: video.errorMessage ?? '' },
    warnings: video.warnings.map((warning) => ({
      code: warning.code,
      message: warningMessage(warning),
      count: warning.count,
    })),
    created_at: isoUtc(video.createdAt),
    updated_at: isoUtc(video.updatedAt),
  }
}

/** The address of a video's poster; null while it has none. `embedBase` has no slash at its end. */
export const posterUrl = (
  { id, hasPoster, posterVersion }: Pick<Video, 'id' | 'hasPoster' | 'posterVersion'>,
  embedBase: string,
): string | null => (hasPoster ? embedBase + posterPath(id, posterVersion) : null)

/** The object of GET /v1/videos/{id}/status, small because it is polled (contract, "Video status"). */
export const videoStatusSchema = z
  .strictObject({
    id: videoId,
    object: z.literal('video_status'),
    status: videoStatus,
    duration,
    size_bytes: z.int(),
    updated_at: timestamp('When it was last changed.'),
    progress: ingestProgressSchema,
  })
  .meta({ id: 'VideoStatus' })

/** The video status object. */
export const videoStatusView = (
  video: Video,
  progress: RecordedProgress,
): z.output<typeof videoStatusSchema> => ({
  id: video.id,
  object: 'video_status',
  status: video.status,
  duration: toSeconds(video.durationMs),
  size_bytes: video.sizeBytes,
  updated_at: isoUtc(video.updatedAt),
  progress: ingestProgressView({ ...progress, status: video.status }),
})

/** An iframe that plays a video. */
export const iframeHtmlSchema = z.string().meta({
  description:
    'A minimal iframe that plays the video. Its title, for screen readers, is the title of the video.',
  example: iframeHtml(EMBED_EXAMPLE, TITLE_EXAMPLE),
})

/** The embed URL with an iframe snippet. */
export const videoEmbedSchema = z
  .strictObject({
    id: videoId,
    object: z.literal('video_embed'),
    embed_url: embedUrlSchema,
    iframe_html: iframeHtmlSchema,
  })
  .meta({ id: 'VideoEmbed' })

/** The embed URL with an iframe snippet. `embedBase` has no slash at its end. */
export function videoEmbedView(video: Video, embedBase: string): z.output<typeof videoEmbedSchema> {
  const url = embedUrl(embedBase, video.id, video.accountId)
  const html = iframeHtml(url, video.title)
  return { id: video.id, object: 'video_embed', embed_url: url, iframe_html: html }
}

/** A published rendition, as an operator sees it. */
export const renditionSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(['video', 'audio']),
  codecs: z.string(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  bandwidth_bps: z.int(),
  segments: z.int(),
  size_bytes: z.int(),
  loudness: z
    .strictObject({
      integrated_lufs: z.number().nullable().meta({
        description: 'Null for a track that is silent, or too short to measure.',
      }),
      true_peak_dbtp: z.number().nullable(),
      gain_db: z.number().meta({ description: 'Decibels that the encode adds.' }),
    })
    .nullable()
    .meta({
      description:
        'Loudness of an audio track by EBU R 128, before its gain; null for video, and for audio that was published before loudness was measured.',
    }),
  created_at: timestamp('When it was published.'),
})

/** The renditions of a video, for the dashboard. */
export const renditionListSchema = listSchema(renditionSchema).meta({ id: 'RenditionList' })

/** A published rendition. */
export const renditionView = ({
  name,
  facts,
  createdAt,
}: Rendition): z.output<typeof renditionSchema> => ({
  name,
  kind: facts.kind,
  codecs: facts.codecs,
  width: facts.width,
  height: facts.height,
  bandwidth_bps: facts.bandwidthBps,
  segments: facts.segments.length,
  size_bytes: facts.sizeBytes,
  loudness: facts.loudness
    ? {
        integrated_lufs: facts.loudness.integratedLufs,
        true_peak_dbtp: facts.loudness.truePeakDbtp,
        gain_db: facts.loudness.gainDb,
      }
    : null,
  created_at: isoUtc(createdAt),
})

const toSeconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000)
