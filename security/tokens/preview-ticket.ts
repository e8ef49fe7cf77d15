import { z } from 'zod'
import { PREVIEW_TICKET_MAX_LENGTH } from '../../domain/limits.ts'
import { parseJson } from '../../domain/parse-json.ts'
import { isPreviewLook, type PreviewLook } from '../../domain/settings/preview-look.ts'
import { openTicket, sealTicket, type MasterKeys } from '../sealing/sealing.ts'

/** What a ticket is valid for: one video of one account, watched by one member. */
export interface PreviewSubject {
  accountId: number
  videoId: string
  /** The viewer id of the member's viewer token (`dashboardViewerId`). */
  viewerId: string
}

const content = z.strictObject({
  /** Unix time in milliseconds. */
  exp: z.int(),
  look: z.custom<PreviewLook>(isPreviewLook),
})

const contextOf = ({ accountId, videoId, viewerId }: PreviewSubject): string =>
  `preview-ticket:${accountId}:${videoId}:${viewerId}`

/** Seals a look until `expiresAtMs`. The ticket opens only for the same subject. */
export const sealPreviewTicket = (
  masterKeys: MasterKeys,
  subject: PreviewSubject,
  { look, expiresAtMs }: { look: PreviewLook; expiresAtMs: number },
): string => sealTicket(masterKeys, JSON.stringify({ exp: expiresAtMs, look }), contextOf(subject))

/** Opens a ticket. Returns null for any text that is not a ticket of this subject, and after its end. */
export function openPreviewTicket(
  masterKeys: MasterKeys,
  subject: PreviewSubject,
  ticket: string,
  nowMs: number,
): PreviewLook | null {
  if (ticket.length > PREVIEW_TICKET_MAX_LENGTH) return null
  const opened = openTicket(masterKeys, ticket, contextOf(subject))
  const read = content.safeParse(opened === null ? null : parseJson(opened))
  return read.success && read.data.exp > nowMs ? read.data.look : null
}
