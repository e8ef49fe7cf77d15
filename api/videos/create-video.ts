import { randomBytes } from 'node:crypto'
import { availableStorageBytes, findAccount, findActivePlan } from '../../db/accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import type { Plan } from '../../db/entities/account.ts'
import type { Video } from '../../db/entities/video.ts'
import { requestOf } from '../../db/request-of-work.ts'
import { insertVideo, lockStorage } from '../../db/videos.ts'
import { titleFromUrl } from '../../domain/video-title.ts'
import { inspectVideoSource } from '../../egress/inspect-video-source.ts'
import { appendCommands } from '../../outbox/append/append-command.ts'
import { ApiError } from '../api-error.ts'
import type { ApiDeps } from '../deps.ts'
import { operation } from '../operation.ts'
import { refuseLink } from '../refuse-link.ts'
import { requireFolder, withFolder } from './folder-of-video.ts'
import { createVideoBody, videoSchema } from './schemas.ts'
import { videoView } from './view.ts'
import type { z } from 'zod'

type Body = z.output<typeof createVideoBody>

/**
 * Accepts a video: plan, folder and link are checked first, outside any transaction; then the row,
 * its reservation of storage and the command that starts its workflow are committed together.
 */
export const createVideo = operation({
  id: 'createVideo',
  method: 'post',
  path: '/v1/videos',
  tag: 'Videos',
  summary: 'Create a video from a link',
  description:
    'The link is checked at once: https on port 443 or 8443, public addresses at every hop, a HEAD request that answers 2xx, a video type, a size within 20 GiB and the storage left. The file is then downloaded, encoded and encrypted in the background; follow the status or the webhooks.',
  scope: 'videos:write',
  body: createVideoBody,
  status: 202,
  answer: videoSchema,
  errors: [
    'no_active_plan',
    'drm_provider_not_configured',
    'folder_not_found',
    'invalid_source_url',
    'source_not_allowed',
    'source_unreachable',
    'unsupported_source_type',
    'source_too_large',
    'insufficient_storage',
    'too_many_redirects',
  ],
  async handle({ deps, accountId, body, commit }) {
    const em = deps.db.em.fork()
    const plan = await requirePlan(deps, em, accountId)
    await requireFolder(em, accountId, body.folder_id)
    const availableBytes = await availableStorageBytes(em, plan)
    const inspection = inspectVideoSource(deps.egress, body.source_url, { availableBytes })
    const { sizeBytes } = await refuseLink(inspection, 'source_url')
    return commit(async (tx) => {
      const video = await withFolder(accept(deps, tx, accountId, body, sizeBytes ?? 0))
      await appendCommands(tx, [{ command: 'ingest-video', subjectId: video.id, accountId }])
      const nothing = { resolutions: [], captionCount: 0, chapterCount: 0, momentCount: 0 }
      return videoView({ video, ...nothing }, deps.embedBase)
    })
  },
})

async function accept(
  deps: ApiDeps,
  tx: EntityManager,
  accountId: number,
  body: Body,
  sizeBytes: number,
): Promise<Video> {
  await lockStorage(tx, accountId)
  // Another request may have taken the storage, or the plan ended, since the first look.
  const plan = await requirePlan(deps, tx, accountId)
  if (sizeBytes > (await availableStorageBytes(tx, plan)))
    throw new ApiError('insufficient_storage', { param: 'source_url' })
  const account = await findAccount(tx, accountId)
  return insertVideo(tx, {
    id: randomBytes(10).toString('hex'),
    accountId,
    title: body.title ?? titleFromUrl(body.source_url),
    description: body.description ?? '',
    folderId: body.folder_id ?? null,
    sourceUrl: body.source_url,
    protection: plan.protection,
    keepOriginal: account?.settings.keep_original ?? false,
    reservedBytes: sizeBytes,
    requestId: requestOf(tx),
  })
}

/** The plan that a new video falls under. */
async function requirePlan(
  { hasDrmProvider }: ApiDeps,
  em: EntityManager,
  accountId: number,
): Promise<Plan> {
  const plan = await findActivePlan(em, accountId, new Date())
  if (!plan) throw new ApiError('no_active_plan')
  if (plan.protection === 'multi-drm' && !hasDrmProvider)
    throw new ApiError('drm_provider_not_configured')
  return plan
}
