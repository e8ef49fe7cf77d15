import { acceptVideo } from '../../commands/videos/accept-video.ts'
import { refuseMissingFolder, requireFolder } from '../../commands/videos/edit-video.ts'
import { availableStorageBytes, findActivePlan } from '../../db/accounts/accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import type { Plan } from '../../db/entities/account.ts'
import { titleFromUrl } from '../../domain/videos/video-title.ts'
import { inspectVideoSource } from '../../egress/inspect-video-source.ts'
import { videoSchema, videoView } from '../../views/videos/video.ts'
import { ApiError } from '../../http/api-error.ts'
import type { OperationDeps } from '../../http/deps.ts'
import { checkLink } from '../link-checks.ts'
import { operation } from '../../http/operation.ts'
import { createVideoBody } from './schemas.ts'
import { VIDEO_FIELDS } from './audit.ts'

/**
 * Checks plan, folder and link outside any transaction, because the check of the link is slow. Then commits the
 * video, its storage reservation and the request for its workflow together.
 */
export const createVideo = operation({
  id: 'createVideo',
  method: 'post',
  path: '/v1/videos',
  tag: 'Videos',
  summary: 'Create a video from a link',
  description:
    'The link is checked first: https on port 443 or 8443, public addresses at every redirect, a HEAD request that gets a 2xx response, a video type, and a size of at most 20 GiB that fits the storage left. The file is then downloaded, encoded and encrypted in the background; follow the status or the webhooks.',
  scope: 'videos:write',
  body: createVideoBody,
  status: 202,
  answer: videoSchema,
  audit: { action: 'video.create', fields: VIDEO_FIELDS },
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
  hasEtag: true,
  async handle({ deps, accountId, body, commit, withEtag }) {
    const em = deps.db.em.fork()
    const plan = await requirePlan(deps, em, accountId)
    await requireFolder(em, accountId, body.folder_id)
    const availableBytes = await availableStorageBytes(em, plan)
    const { sizeBytes } = await checkLink(accountId, 'source_url', () =>
      inspectVideoSource(deps.egress, body.source_url, { availableBytes, accountId }),
    )
    return commit(async (tx) => {
      const order = {
        accountId,
        sourceUrl: body.source_url,
        title: body.title ?? titleFromUrl(body.source_url),
        description: body.description ?? '',
        folderId: body.folder_id ?? null,
        sizeBytes: sizeBytes ?? 0,
        hasDrmProvider: deps.hasDrmProvider,
      }
      const video = await refuseMissingFolder(acceptVideo(tx, order))
      const details = { video, resolutions: [], captionCount: 0, chapterCount: 0, momentCount: 0 }
      return withEtag(video.version, videoView(details, deps.embedBase))
    })
  },
})

/** Returns the active plan. Throws an ApiError if the account has none, or if it needs a missing DRM provider. */
async function requirePlan(
  { hasDrmProvider }: OperationDeps,
  em: EntityManager,
  accountId: number,
): Promise<Plan> {
  const plan = await findActivePlan(em, accountId, new Date())
  if (!plan) throw new ApiError('no_active_plan')
  if (plan.protection === 'multi-drm' && !hasDrmProvider)
    throw new ApiError('drm_provider_not_configured')
  return plan
}
