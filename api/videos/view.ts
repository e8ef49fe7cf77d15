import type { Video } from '../../db/entities/video.ts'
import { embedUrl, iframeHtml } from '../../domain/embed-url.ts'
import { isoUtc } from '../../domain/timestamps.ts'

/** The video object (spec, "Video"; design, section 7). `rungs` are the names of the published ones. */
export function videoView(video: Video, rungs: string[], embedBase: string) {
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
    resolutions: rungs.map((name) => Number.parseInt(name)),
    error:
      video.errorCode === null
        ? null
        : { code: video.errorCode, message: video.errorMessage ?? '' },
    created_at: isoUtc(video.createdAt),
    updated_at: isoUtc(video.updatedAt),
  }
}

/** The deliberately small object of GET /v1/videos/{id}/status. */
export function videoStatusView(video: Video) {
  return {
    id: video.id,
    object: 'video_status',
    status: video.status,
    duration: secondsOf(video.durationMs),
    size_bytes: video.sizeBytes,
    updated_at: isoUtc(video.updatedAt),
  }
}

/** The embed URL with an iframe snippet. */
export function videoEmbedView(video: Video, embedBase: string) {
  const url = embedUrl(embedBase, video.id, video.accountId)
  return { id: video.id, object: 'video_embed', embed_url: url, iframe_html: iframeHtml(url) }
}

const secondsOf = (ms: number | null): number | null => (ms === null ? null : ms / 1000)
