import { Option } from 'commander'
import { Video } from '../../db/entities/video.ts'
import { VIDEO_STATUSES } from '../../domain/video-state.ts'
import type { VideoStatus } from '../../domain/video-state.ts'
import { accountFilter, limitOption } from '../arguments.ts'
import { formatBytes, table } from '../output.ts'
import type { RegisterVerb } from '../verb.ts'
import { viewVideo } from '../views.ts'

interface Options {
  account?: number
  status?: VideoStatus
  limit: number
}

/** `videos list`: the newest first, of all accounts or of one. */
export const videosList: RegisterVerb = (noun, run) => {
  noun
    .command('list')
    .description('list videos, newest first')
    .addOption(accountFilter())
    .addOption(new Option('--status <status>', 'only this status').choices(VIDEO_STATUSES))
    .addOption(limitOption())
    .action(
      run<Options>(async (context, { account, status, limit }) => {
        const em = await context.entityManager()
        const where = {
          deletedAt: null,
          ...(account !== undefined && { accountId: account }),
          ...(status !== undefined && { status }),
        }
        const orderBy = { createdAt: 'desc', id: 'desc' } as const
        const records = (await em.find(Video, where, { orderBy, limit })).map(viewVideo)
        const rows = records.map((video) => [
          video.id,
          String(video.account_id),
          video.status,
          video.duration === null ? '-' : `${video.duration} s`,
          formatBytes(video.size_bytes),
          video.title,
        ])
        const headings = ['ID', 'ACCOUNT', 'STATUS', 'DURATION', 'SIZE', 'TITLE']
        context.out.print(records, table(headings, rows, 'There are no videos.'))
      }),
    )
}
