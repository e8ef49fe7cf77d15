import { InvalidArgumentError, Option, type Command } from 'commander'
import { listAnyVideos } from '../../db/accounts/operator.ts'
import type { EntityManager } from '../../db/database.ts'
import { findVideos } from '../../db/videos/find-videos.ts'
import type { VideoDetails } from '../../db/videos/video-details.ts'
import { VIDEO_SORTS, type VideoSort } from '../../db/videos/video-query.ts'
import { formatBytes } from '../../domain/format-bytes.ts'
import { VIDEO_STATUSES, type VideoStatus } from '../../domain/videos/video-state.ts'
import { operatorVideoView } from '../../views/operator/operator.ts'
import { accountFilter, limitOption } from '../arguments.ts'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { table } from '../output.ts'
import type { Runner } from '../verb.ts'

interface ListOptions {
  account?: number
  status?: VideoStatus
  externalId?: string
  tag?: string[]
  metadata?: Record<string, string>
  title?: string
  sort?: VideoSort
  limit: number
}

/** Adds `videos list`, with the filters of the API for the videos of one account. */
export function addList(noun: Command, run: Runner): void {
  noun
    .command('list')
    .description('list videos, newest first unless --sort says otherwise')
    .addOption(accountFilter())
    .addOption(new Option('--status <status>', 'only this status').choices(VIDEO_STATUSES))
    .option('--external-id <id>', 'only the video with this external id; needs --account')
    .option('--tag <tag...>', 'only videos with all these tags; needs --account')
    .option(
      '--metadata <key=value>',
      'only with this metadata, again for more; needs --account',
      parsePair,
    )
    .option('--title <words>', 'only with these words in the title; needs --account')
    .addOption(
      new Option('--sort <order>', 'order of the list; needs --account').choices(
        Object.keys(VIDEO_SORTS),
      ),
    )
    .addOption(limitOption())
    .action(run(list))
}

function parsePair(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1 || at === text.length - 1)
    throw new InvalidArgumentError('It must be a key and a value: course=7.')
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

async function list(context: Context, options: ListOptions): Promise<void> {
  const rows = await findRows(await context.entityManager(), options)
  const records = rows.map((row) => operatorVideoView(row, context.embedBase))
  const headings = ['ID', 'ACCOUNT', 'STATUS', 'DURATION', 'SIZE', 'TITLE']
  const cells = records.map((video) => [
    video.id,
    String(video.account_id),
    video.status,
    secondsText(video.duration),
    formatBytes(video.size_bytes),
    video.title,
  ])
  context.out.print(records, table(headings, cells, 'No videos.'))
}

/** The terms of videos are kept for each account, so only the videos of one are searched. */
async function findRows(em: EntityManager, options: ListOptions): Promise<VideoDetails[]> {
  const { account: accountId, status, limit, sort, externalId, tag: tags, metadata } = options
  const sought = { externalId, tags, metadata, words: options.title }
  const named = Object.values({ ...sought, sort }).some((value) => value !== undefined)
  if (!named) return listAnyVideos(em, { accountId, status }, limit)
  if (accountId === undefined)
    throw new UsageError('Which account? Filters and orders need --account <id>.', {
      param: '--account',
    })
  const request = { sort: sort ?? '-created', limit } as const
  return (await findVideos(em, { accountId, status, ...sought }, request)).rows
}

/** Formats a length of a video. */
export const secondsText = (seconds: number | null): string =>
  seconds === null ? '-' : `${seconds} s`
