import type { Request } from 'express'
import { normaliseHost } from '../../../domain/host-name.ts'
import { PREVIEW_PARAMETER, type PreviewLook } from '../../../domain/settings/preview-look.ts'
import { openPreviewTicket } from '../../../security/tokens/preview-ticket.ts'
import type { PlayerDeps } from '../deps.ts'
import type { Admission } from './send-player.ts'

/**
 * Returns a function that returns the look of a preview. Returns null, so that the page has the saved look,
 * unless the dashboard frames the page, the viewer token is valid and the ticket is for its viewer.
 */
export function previewReader({ masterKeys, dashboardBase }: PlayerDeps) {
  const dashboardHost = normaliseHost(dashboardBase)
  return (
    { query: { [PREVIEW_PARAMETER]: ticket } }: Request,
    { facts, viewer, host }: Pick<Admission, 'facts' | 'viewer' | 'host'>,
  ): PreviewLook | null => {
    const { token, viewerId } = viewer
    if (typeof ticket !== 'string' || host === null || host !== dashboardHost) return null
    if (token !== 'valid' || viewerId === null) return null
    const subject = { accountId: facts.account.id, videoId: facts.video.id, viewerId }
    return openPreviewTicket(masterKeys, subject, ticket, Date.now())
  }
}
