import { z } from 'zod'
import { embedUrl } from '../domain/playback/embed-url.ts'
import { PREVIEW_PARAMETER } from '../domain/settings/preview-look.ts'
import { isoUtc } from '../domain/timestamps.ts'
import { timestamp } from './values.ts'
import { videoId } from './videos/video.ts'

/** The address of the real player with an unsaved look. */
export const previewTicketSchema = z
  .strictObject({
    object: z.literal('preview_ticket'),
    video_id: videoId,
    embed_url: z.url().meta({
      description:
        'The player URL with a viewer token of the member, valid for 60 seconds, and the ticket.',
    }),
    expires_at: timestamp('When the ticket stops being accepted.'),
  })
  .meta({ id: 'PreviewTicket' })

interface PreviewTicket {
  accountId: number
  videoId: string
  vt: string
  ticket: string
  expiresAtMs: number
}

/** The preview ticket object. `embedBase` has no slash at its end. */
export const previewTicketView = (
  { accountId, videoId: id, vt, ticket, expiresAtMs }: PreviewTicket,
  embedBase: string,
): z.output<typeof previewTicketSchema> => ({
  object: 'preview_ticket',
  video_id: id,
  embed_url: `${embedUrl(embedBase, id, accountId, vt)}&${PREVIEW_PARAMETER}=${ticket}`,
  expires_at: isoUtc(new Date(expiresAtMs)),
})
