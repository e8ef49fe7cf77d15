import { acceptVideo } from '../../commands/videos/accept-video.ts'
import { checkLink } from '../../commands/videos/check-link.ts'
import { refuseMissingFolder } from '../../commands/videos/edit-video.ts'
import { titleFromUrl } from '../../domain/videos/video-title.ts'
import { inspectVideoSource } from '../../egress/inspect-video-source.ts'
import { operation } from '../../http/operation.ts'
import { videoSchema, videoView } from '../../views/videos/video.ts'
import { inTurn } from '../link-checks.ts'
import { VIDEO_FIELDS } from './audit.ts'
import { createVideoBody } from './schemas.ts'

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
  response: videoSchema,
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
    const { source_url: sourceUrl, folder_id: folderId } = body
    const { hasDrmProvider } = deps
    const link = await checkLink(
      deps.db.em.fork(),
      { accountId, sourceUrl, folderId, hasDrmProvider },
      (availableBytes) =>
        inTurn(accountId, 'source_url', () =>
          inspectVideoSource(deps.egress, sourceUrl, { availableBytes, accountId }),
        ),
    )
    return commit(async (tx) => {
      const order = {
        ...link,
        title: body.title ?? titleFromUrl(sourceUrl),
        description: body.description ?? '',
        folderId: folderId ?? null,
      }
      const video = await refuseMissingFolder(acceptVideo(tx, order))
      const details = { video, resolutions: [], captionCount: 0, chapterCount: 0, momentCount: 0 }
      return withEtag(video.version, videoView(details, deps.embedBase))
    })
  },
})
