import { z } from 'zod'
import { readProgress } from '../../../db/ingest/ingest-progress.ts'
import { PROGRESS_IDS_MAX } from '../../../domain/limits.ts'
import { operation } from '../../../http/operation.ts'
import { wholeListView } from '../../../views/list.ts'
import { videoProgressListSchema, videoProgressView } from '../../../views/videos/video-progress.ts'
import { videoId } from '../../../views/videos/video.ts'

const ids = z
  .string()
  .transform((list) => list.split(','))
  .pipe(z.array(videoId).max(PROGRESS_IDS_MAX))
  .meta({
    type: 'string',
    description: `The ids of at most ${PROGRESS_IDS_MAX} videos, separated by commas.`,
    example: '3f1c9a7be04d5628c1d0',
  })

const list = operation({
  id: 'listProgress',
  method: 'get',
  path: '/progress',
  tag: 'Videos',
  summary: 'How far the ingests of some videos are',
  description:
    'For polling while one of them is not ready or failed. Videos that are deleted or unknown are left out.',
  scope: 'videos:read',
  query: z.strictObject({ ids }),
  status: 200,
  response: videoProgressListSchema,
  async handle({ deps, accountId, query }) {
    const videos = await readProgress(deps.db.em.fork(), accountId, query.ids)
    return wholeListView(videos, videoProgressView, '/progress')
  },
})

export const progressOperations = [list]
