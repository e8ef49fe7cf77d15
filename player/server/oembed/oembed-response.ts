import { escapeHtml } from '../../../domain/html.ts'
import { IFRAME_ATTRIBUTES } from '../../../domain/playback/embed-url.ts'

/** Width and height in pixels. */
export interface Size {
  width: number
  height: number
}

/** The limits of a request; null where it has none. */
export interface SizeLimits {
  maxWidth: number | null
  maxHeight: number | null
}

/** How long caches and sites may keep a response, as long as a poster. */
export const CACHE_SECONDS = 300

/** The longest side of a player for which the request has no limit. */
const DEFAULT_SIDE = 640
const DEFAULT_SHAPE: Size = { width: 16, height: 9 }

/** Returns the largest size in the shape of the video within the limits, at least 1 × 1. */
export function playerSize(video: Size | null, { maxWidth, maxHeight }: SizeLimits): Size {
  const { width, height } = video ?? DEFAULT_SHAPE
  const isFree = maxWidth === null && maxHeight === null
  const limit = isFree ? DEFAULT_SIDE : Infinity
  const scale = Math.min((maxWidth ?? limit) / width, (maxHeight ?? limit) / height)
  const side = (pixels: number, max: number | null): number =>
    Math.min(Math.max(1, Math.round(pixels * scale)), max ?? Infinity)
  return { width: side(width, maxWidth), height: side(height, maxHeight) }
}

export interface Embeddable {
  title: string
  /** Address of the embed page. */
  src: string
  size: Size
  /** Null if there is no poster. */
  thumbnail: (Size & { url: string }) | null
  /** Address of the player host. */
  providerUrl: string
}

/** Returns the response of oEmbed 1.0 (section 2.3.4) for a video. */
export function oembedResponse({ title, src, size, thumbnail, providerUrl }: Embeddable) {
  return {
    version: '1.0',
    type: 'video',
    ...(title.trim() !== '' && { title }),
    provider_name: 'Reelgate',
    provider_url: providerUrl,
    cache_age: CACHE_SECONDS,
    ...(thumbnail && {
      thumbnail_url: thumbnail.url,
      thumbnail_width: thumbnail.width,
      thumbnail_height: thumbnail.height,
    }),
    ...size,
    html: sizedIframe(src, title, size),
  }
}

/** An iframe of a size that becomes narrower with its container. */
const sizedIframe = (src: string, title: string, { width, height }: Size): string =>
  `<iframe src="${escapeHtml(src)}" title="${escapeHtml(title.trim() || 'Video')}" ` +
  `width="${width}" height="${height}" ${IFRAME_ATTRIBUTES} ` +
  `style="border:0;max-width:100%;height:auto;aspect-ratio:${width}/${height}"></iframe>`
