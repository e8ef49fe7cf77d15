import { z } from 'zod'
import { findAccount } from '../../../db/accounts/accounts.ts'
import { findNewestPlayableVideo, findVideo } from '../../../db/videos/videos.ts'
import { PREVIEW_TICKET_TTL_MS } from '../../../domain/limits.ts'
import { withChange } from '../../../domain/settings/player-settings.ts'
import { previewLookOf } from '../../../domain/settings/preview-look.ts'
import { orNotFound } from '../../../http/api-error.ts'
import { operation } from '../../../http/operation.ts'
import { signMemberToken } from '../../../security/tokens/member-token.ts'
import { sealPreviewTicket } from '../../../security/tokens/preview-ticket.ts'
import { previewTicketSchema, previewTicketView } from '../../../views/preview-ticket.ts'
import { lookChangeSchema } from '../../../views/setting-schemas.ts'
import { videoId } from '../../../views/videos/video.ts'
import { memberOf } from '../auth/member-caller.ts'

const create = operation({
  id: 'createPreviewTicket',
  method: 'post',
  path: '/preview-tickets',
  tag: 'Settings',
  summary: 'Open the real player with an unsaved look',
  description:
    'The address works for five minutes, only in a frame of the dashboard and only with the viewer token of the member that it carries. It changes the look and adds the watermark, and neither removes the watermark nor changes who may watch.',
  scope: 'settings:write',
  body: z.strictObject({
    video_id: videoId
      .optional()
      .meta({ description: 'By default the newest video that is playable or ready.' }),
    settings: lookChangeSchema
      .default({})
      .meta({ description: 'Replaces saved settings in the preview.' }),
  }),
  status: 201,
  response: previewTicketSchema,
  // A ticket changes nothing of the record.
  audit: null,
  errors: ['account_not_found', 'video_not_found'],
  async handle({ deps, accountId, caller, body }) {
    const em = deps.db.em.fork()
    const account = orNotFound(await findAccount(em, accountId), 'account_not_found')
    const found =
      body.video_id === undefined
        ? await findNewestPlayableVideo(em, accountId)
        : await findVideo(em, accountId, body.video_id)
    const video = orNotFound(found, 'video_not_found')
    const { viewerId, vt } = signMemberToken(deps.masterKeys, account, memberOf(caller).member.id)
    const subject = { accountId, videoId: video.id, viewerId }
    const expiresAtMs = Date.now() + PREVIEW_TICKET_TTL_MS
    const settings = previewLookOf(withChange(account.settings, body.settings))
    const ticket = sealPreviewTicket(deps.masterKeys, subject, { look: settings, expiresAtMs })
    return previewTicketView({ ...subject, vt, ticket, expiresAtMs }, deps.embedBase)
  },
})

export const previewTicketOperations = [create]
