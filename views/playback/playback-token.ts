import { z } from 'zod'
import { deepLink, embedUrl, iframeHtml } from '../../domain/playback/embed-url.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { timestamp } from '../values.ts'
import { iframeHtmlSchema, videoId } from '../videos/video.ts'

/** The playback token object (contract, "Playback token"). */
export const playbackTokenSchema = z
  .strictObject({
    object: z.literal('playback_token'),
    video_id: videoId,
    viewer_id: z.string().meta({ example: 'viewer-42' }),
    vt: z.string().meta({
      description: 'The viewer token.',
      example: 'eyJ2aWQiOiJ2aWV3ZXItNDIiLCJleHAiOjE3OTU2ODIyMDB9.tzr…',
    }),
    expires_at: timestamp('When the token stops being accepted.'),
    embed_url: z.url().meta({ description: 'The player URL with the token attached.' }),
    deep_link: z.string().meta({ description: 'Opens the mobile player app.' }),
    iframe_html: iframeHtmlSchema,
  })
  .meta({ id: 'PlaybackToken' })

/** A signed viewer token and the video that it was requested for. */
export interface SignedToken {
  videoId: string
  /** The title of the video. */
  title: string
  accountId: number
  viewerId: string
  vt: string
  /** Unix time in seconds. */
  expiresAtSeconds: number
}

/** The playback token object. `embedBase` has no slash at its end. */
export function playbackTokenView(
  token: SignedToken,
  embedBase: string,
): z.output<typeof playbackTokenSchema> {
  const { videoId: id, accountId, vt } = token
  const url = embedUrl(embedBase, id, accountId, vt)
  return {
    object: 'playback_token',
    video_id: id,
    viewer_id: token.viewerId,
    vt,
    expires_at: isoUtc(new Date(token.expiresAtSeconds * 1000)),
    embed_url: url,
    deep_link: deepLink(id, accountId, vt),
    iframe_html: iframeHtml(url, token.title),
  }
}
