import type { z } from 'zod'
import { deepLink, embedUrl, iframeHtml } from '../../domain/embed-url.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import type { playbackTokenSchema } from './schemas.ts'

/** What a token was made for. */
export interface MintedToken {
  videoId: string
  /** Of the video. */
  title: string
  accountId: number
  viewerId: string
  vt: string
  /** Unix time in seconds. */
  expiresAtSeconds: number
}

/** The playback token object. */
export function playbackTokenView(
  token: MintedToken,
  embedBase: string,
): z.output<typeof playbackTokenSchema> {
  const { videoId, accountId, vt } = token
  const url = embedUrl(embedBase, videoId, accountId, vt)
  return {
    object: 'playback_token',
    video_id: videoId,
    viewer_id: token.viewerId,
    vt,
    expires_at: isoUtc(new Date(token.expiresAtSeconds * 1000)),
    embed_url: url,
    deep_link: deepLink(videoId, accountId, vt),
    iframe_html: iframeHtml(url, token.title),
  }
}
