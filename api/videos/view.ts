import type { z } from 'zod'
import type { Video } from '../../db/entities/video.ts'
import type { VideoDetails } from '../../db/video-details.ts'
import { embedUrl, iframeHtml } from '../../domain/embed-url.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import type { videoEmbedSchema, videoSchema, videoStatusSchema } from './schemas.ts'

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
    embed_url: embedUrl(embedBase, video.id, video.accountId),
    duration: secondsOf(video.durationMs),
    size_bytes: video.sizeBytes,
    poster_url: video.hasPoster ? `${embedBase}/posters/${video.id}.jpg` : null,
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
    created_at: isoUtc(video.createdAt),
    updated_at: isoUtc(video.updatedAt),
  }
}

/** The video status object. */
export const videoStatusView = (video: Video): z.output<typeof videoStatusSchema> => ({
  id: video.id,
  object: 'video_status',
  status: video.status,
  duration: secondsOf(video.durationMs),
  size_bytes: video.sizeBytes,
  updated_at: isoUtc(video.updatedAt),
})

/** The embed URL with an iframe snippet. */
export function videoEmbedView(video: Video, embedBase: string): z.output<typeof videoEmbedSchema> {
  const url = embedUrl(embedBase, video.id, video.accountId)
  const html = iframeHtml(url, video.title)
  return { id: video.id, object: 'video_embed', embed_url: url, iframe_html: html }
}

const secondsOf = (ms: number | null): number | null => (ms === null ? null : ms / 1000)
