import { Router } from 'express'
import type { Video } from '../../db/entities/video.ts'
import { findRungNames, findVideo } from '../../db/videos.ts'
import { isVideoId } from '../../domain/embed-url.ts'
import { ApiError } from '../api-error.ts'
import type { ApiDeps } from '../deps.ts'
import { accountIdOf, requireScope } from '../middleware/authenticate.ts'
import { answerOnce } from '../middleware/idempotency.ts'
import { allowOnly } from '../middleware/methods.ts'
import { parse } from '../middleware/validate.ts'
import { createVideo } from './create-video.ts'
import { createVideoBody } from './schemas.ts'
import { videoEmbedView, videoStatusView, videoView } from './view.ts'

/** /v1/videos: create, read, status, embed. */
export function videosRouter(deps: ApiDeps): Router {
  const router = Router({ caseSensitive: true })
  const read = requireScope(deps, 'videos:read')

  router
    .route('/')
    .post(requireScope(deps, 'videos:write'), async (request, response) => {
      const body = parse(createVideoBody, request.body)
      const accountId = accountIdOf(response)
      await answerOnce(deps, request, response, (commit) =>
        createVideo(deps, accountId, body, commit),
      )
    })
    .all(allowOnly('POST'))

  router
    .route('/:id')
    .get(read, async (request, response) => {
      const video = await requireVideo(deps, accountIdOf(response), request.params.id)
      const rungs = await findRungNames(deps.db.em.fork(), video.id)
      response.json(videoView(video, rungs, deps.embedBase))
    })
    .all(allowOnly('GET'))

  router
    .route('/:id/status')
    .get(read, async (request, response) => {
      response.json(
        videoStatusView(await requireVideo(deps, accountIdOf(response), request.params.id)),
      )
    })
    .all(allowOnly('GET'))

  router
    .route('/:id/embed')
    .get(read, async (request, response) => {
      const video = await requireVideo(deps, accountIdOf(response), request.params.id)
      response.json(videoEmbedView(video, deps.embedBase))
    })
    .all(allowOnly('GET'))

  return router
}

/** The account's video; 404 `video_not_found` for anything else, another account's too. */
export async function requireVideo(
  { db }: Pick<ApiDeps, 'db'>,
  accountId: number,
  id: string,
): Promise<Video> {
  const video = isVideoId(id) ? await findVideo(db.em.fork(), accountId, id) : null
  if (!video) throw new ApiError('video_not_found')
  return video
}
