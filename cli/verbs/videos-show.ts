import { Rendition, Video } from '../../db/entities/video.ts'
import { embedUrl } from '../../domain/embed-url.ts'
import { isFinal } from '../../domain/video-state.ts'
import { videoWorkflowId } from '../../temporal/names.ts'
import { CliError } from '../errors.ts'
import { fields, formatBytes, humaneTime } from '../output.ts'
import { readTroubles } from '../read-troubles.ts'
import type { RegisterVerb } from '../verb.ts'
import { renditionView } from '../../views/video.ts'
import { viewTrouble, viewVideo } from '../views.ts'

/** `videos show ID`: a video, its renditions, and where to look for it. */
export const videosShow: RegisterVerb = (noun, run) => {
  noun
    .command('show')
    .description('show a video and its renditions')
    .argument('<video id>', 'id from videos list')
    .action(
      run(async (context, _options, [id = '']) => {
        const em = await context.entityManager()
        const video = await em.findOne(Video, { id })
        if (!video) throw new CliError(`There is no video ${id}.`, { code: 'video_not_found' })
        const renditions = await em.find(
          Rendition,
          { videoId: id },
          { orderBy: { createdAt: 'asc', name: 'asc' } },
        )
        const embedBase = context.runtime?.player ?? context.config.EMBED_BASE_URL
        const isOver = isFinal(video.status) || video.deletedAt !== null
        const troubles = isOver ? [] : await readTroubles(context, id)
        const record = {
          ...viewVideo(video),
          embed_url: embedUrl(embedBase, id, video.accountId),
          workflow_id: videoWorkflowId(id),
          renditions: renditions.map(renditionView),
          /** Null where Temporal does not answer. */
          troubles: troubles?.map(viewTrouble) ?? null,
        }
        context.out.print(record, videoText(record))
      }),
    )
}

interface ShownVideo extends ReturnType<typeof viewVideo> {
  embed_url: string
  workflow_id: string
  renditions: ReturnType<typeof renditionView>[]
  troubles: ReturnType<typeof viewTrouble>[] | null
}

const videoText = (video: ShownVideo): string =>
  fields([
    ['id', video.id],
    ['account', String(video.account_id)],
    [
      'status',
      video.deleted_at ? `${video.status}, deleted ${humaneTime(video.deleted_at)}` : video.status,
    ],
    ['title', video.title],
    ['duration', video.duration === null ? '-' : `${video.duration} s`],
    ['size', formatBytes(video.size_bytes)],
    ['error', video.error ? `${video.error.code}: ${video.error.message}` : '-'],
    ['embed', video.embed_url],
    ['workflow', video.workflow_id],
    ...(video.troubles ?? []).map(troubleField),
    ...video.renditions.map(
      ({ name, codecs, bandwidth_bps: bps, segments }) =>
        [name, `${codecs}, ${Math.round(bps / 1000)} kbit/s, ${segments} segments`] satisfies [
          string,
          string,
        ],
    ),
  ])

const troubleField = (trouble: ReturnType<typeof viewTrouble>): [string, string] => [
  'trouble',
  `${trouble.step}, attempt ${trouble.attempt}: ${trouble.failure}; ${
    trouble.next_attempt_at === null ? 'running' : `next ${trouble.next_attempt_at}`
  }`,
]
