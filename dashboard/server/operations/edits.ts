import type { z } from 'zod'
import { readCaption } from '../../../api/captions/read-caption.ts'
import { createCaptionBody, WRITE_CAPTION_ERRORS } from '../../../api/captions/schemas.ts'
import { readVideo, VIDEO_FIELDS } from '../../../api/videos/audit.ts'
import { editOf, updateVideoBody, videoIdParameter } from '../../../api/videos/schemas.ts'
import {
  ENDPOINT_ERRORS,
  ENDPOINT_FIELDS,
  readEndpoint,
  requireEvents,
  requireUrl,
} from '../../../api/webhook-endpoints/operations.ts'
import {
  endpointIdParameter,
  updateWebhookEndpointBody,
} from '../../../api/webhook-endpoints/schemas.ts'
import { writeCaption } from '../../../commands/captions/captions.ts'
import { editVideo } from '../../../commands/videos/edit-video.ts'
import { changeEndpoint } from '../../../commands/webhooks/endpoints.ts'
import { listCaptions } from '../../../db/videos/annotations.ts'
import { findVideoDetails } from '../../../db/videos/video-details.ts'
import { findVideo } from '../../../db/videos/videos.ts'
import { findWebhookEndpoint } from '../../../db/webhooks/webhook-endpoints.ts'
import { CAPTION_BODY_MAX_BYTES, EDIT_BODY_MAX_BYTES } from '../../../domain/limits.ts'
import { isSubscribable } from '../../../domain/webhooks/events.ts'
import { orNotFound } from '../../../http/api-error.ts'
import { operation } from '../../../http/operation.ts'
import { wholeListView } from '../../../views/list.ts'
import { captionListSchema, captionSchema, captionView } from '../../../views/videos/annotations.ts'
import { videoSchema, videoView } from '../../../views/videos/video.ts'
import {
  webhookEndpointSchema,
  webhookEndpointView,
} from '../../../views/webhooks/webhook-endpoint.ts'
import { refuseStale } from './refuse-stale.ts'

const STALE =
  '`from` has the values that the change starts from. If a field that it changes has another value by now, nothing is saved, and the 409 `stale_edit` carries what is stored in `current`.'

const video = operation({
  id: 'editVideo',
  method: 'patch',
  path: '/videos/{id}',
  tag: 'Videos',
  summary: 'Change a video that no other member has changed',
  description: STALE,
  scope: 'videos:write',
  params: { id: videoIdParameter },
  body: updateVideoBody.extend({
    from: videoSchema
      .pick({ title: true, description: true, folder_id: true })
      // A page that was loaded before an upgrade does not send them.
      .extend(videoSchema.pick({ external_id: true, tags: true, metadata: true }).partial().shape),
  }),
  bodyMaxBytes: EDIT_BODY_MAX_BYTES,
  status: 200,
  response: videoSchema,
  current: videoSchema,
  audit: { action: 'video.update', fields: VIDEO_FIELDS, before: readVideo },
  errors: ['folder_not_found', 'external_id_taken', 'too_much_metadata', 'stale_edit'],
  handle({ deps, accountId, params: { id }, body: { from, ...change }, commit }) {
    const edit = editOf(change)
    const before = editOf(from)
    const saved = commit(async (tx) => {
      await editVideo(tx, accountId, id, edit, before)
      const details = await findVideoDetails(tx, accountId, id)
      return videoView(orNotFound(details, 'video_not_found'), deps.embedBase)
    })
    return refuseStale(saved, async () => {
      const details = await findVideoDetails(deps.db.em.fork(), accountId, id)
      return details && videoView(details, deps.embedBase)
    })
  },
})

const endpoint = operation({
  id: 'editWebhookEndpoint',
  method: 'patch',
  path: '/webhook-endpoints/{id}',
  tag: 'Webhooks',
  summary: 'Change a webhook endpoint that no other member has changed',
  description: STALE,
  scope: 'webhooks:write',
  params: { id: endpointIdParameter },
  body: updateWebhookEndpointBody.omit({ is_active: true }).extend({
    from: webhookEndpointSchema.pick({ url: true, description: true, events: true }),
  }),
  bodyMaxBytes: EDIT_BODY_MAX_BYTES,
  status: 200,
  response: webhookEndpointSchema,
  current: webhookEndpointSchema,
  audit: { action: 'webhook_endpoint.update', fields: ENDPOINT_FIELDS, before: readEndpoint },
  errors: [...ENDPOINT_ERRORS, 'stale_edit'],
  async handle({ deps, accountId, params: { id }, body: { from, ...change }, commit }) {
    const { url, description } = change
    const events = change.events && requireEvents(change.events)
    const read = () => findWebhookEndpoint(deps.db.em.fork(), accountId, id)
    const present = orNotFound(await read(), 'webhook_endpoint_not_found')
    if (url !== undefined && url !== present.url) await requireUrl(deps, accountId, url)
    const edit = { url, description, events }
    const before = { ...from, events: from.events.filter(isSubscribable) }
    const saved = commit(async (tx) =>
      webhookEndpointView(await changeEndpoint(tx, accountId, id, edit, before)),
    )
    return refuseStale(saved, async () => {
      const current = await read()
      return current && webhookEndpointView(current)
    })
  },
})

const caption = operation({
  id: 'replaceCaption',
  method: 'post',
  path: '/videos/{id}/captions',
  tag: 'Captions',
  summary: 'Add a caption, or replace the one of its language that no other member has changed',
  description:
    '`from` is the caption that the text replaces, or null if there is none. If another one is stored by now, nothing is saved, and the 409 `stale_edit` carries the list in `current`.',
  scope: 'videos:write',
  params: { id: videoIdParameter },
  body: createCaptionBody.safeExtend({
    from: captionSchema.pick({ label: true, size_bytes: true, updated_at: true }).nullable(),
  }),
  bodyMaxBytes: CAPTION_BODY_MAX_BYTES,
  status: 201,
  response: captionSchema,
  current: captionListSchema,
  audit: { action: 'caption.write', fields: ['language_code', 'label', 'size_bytes'] },
  errors: [...WRITE_CAPTION_ERRORS, 'stale_edit'],
  async handle({ params: { id: videoId }, body: { from, ...body }, commit, ...call }) {
    const { deps, accountId } = call
    const em = deps.db.em.fork()
    orNotFound(await findVideo(em, accountId, videoId), 'video_not_found')
    const content = await readCaption(call, body)
    const { language_code: languageCode, label } = body
    const isExpected = (stored: z.output<typeof captionSchema> | null): boolean =>
      stored?.label === from?.label &&
      stored?.size_bytes === from?.size_bytes &&
      stored?.updated_at === from?.updated_at
    const written = commit(async (tx) =>
      captionView(
        await writeCaption(tx, accountId, { videoId, languageCode, label, content }, (stored) =>
          isExpected(stored && captionView(stored)),
        ),
      ),
    )
    return refuseStale(written, async () => {
      const captions = await listCaptions(deps.db.em.fork(), videoId)
      return wholeListView(captions, captionView, `/v1/videos/${videoId}/captions`)
    })
  },
})

/** Edits that start from what the member has seen: nothing is overwritten silently. */
export const editOperations = [video, endpoint, caption]
