import type { EntityManager } from '../../db/database.ts'
import { findVideos, type VideoPageRequest } from '../../db/videos/find-videos.ts'
import type { VideoQuery, VideoSort } from '../../db/videos/video-query.ts'

/** A search of the list of videos. */
export interface Find {
  name: string
  query: Omit<VideoQuery, 'accountId'>
  sort: VideoSort
  /** The index that has to serve it; absent if the planner may choose between several. */
  index?: string
}

const TERMS = 'video_term_pkey'
const LIMIT = 25
const DAY_MS = 86_400_000

/** A filter, and the index of its searches from the newest. */
type Filter = Omit<Find, 'sort'>

/** Filters as the database is filled, each of which alone has to be fast. Dates count back from now. */
function filters(): Filter[] {
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS)
  return [
    { name: 'a frequent tag', query: { tags: ['common'] }, index: TERMS },
    { name: 'a rare tag', query: { tags: ['topic 7'] }, index: TERMS },
    { name: 'metadata', query: { metadata: { course: '7' } }, index: TERMS },
    { name: 'a word of the title', query: { words: 'lecture' }, index: TERMS },
    { name: 'a part of the title', query: { titlePart: 'c4ca4238' } },
    { name: 'a frequent part of the title', query: { titlePart: 'lectu' } },
    { name: 'two letters of the title', query: { titlePart: 'c4' } },
    { name: 'protection', query: { protection: 'multi-drm' }, index: TERMS },
    { name: 'an external id', query: { externalId: 'video-3002' }, index: 'video_external_id' },
    { name: 'a month of creation', query: { createdAt: { gte: ago(380), lt: ago(350) } } },
    { name: 'a month of changes', query: { updatedAt: { gte: ago(380), lt: ago(350) } } },
    { name: 'a short range of lengths', query: { durationMs: { gte: 60_000, lte: 70_000 } } },
    { name: 'a long range of lengths', query: { durationMs: { gte: 3_600_000 } } },
  ]
}

/** Each filter alone in three orders, and from the newest within a folder and within a status. */
export function findsOf(folderId: number): Find[] {
  const inFolder = { folderId }
  const scopes: Filter[] = [
    { name: 'no filter', query: {}, index: 'video_account_search' },
    { name: 'a folder', query: inFolder, index: TERMS },
    { name: 'no folder', query: { folderId: null }, index: TERMS },
    { name: 'a status', query: { status: 'failed' }, index: TERMS },
    { name: 'a folder and a status', query: { ...inFolder, status: 'ready' }, index: TERMS },
  ]
  const alone = [...scopes, ...filters()]
  const within = (scope: Find['query'], name: string): Filter[] =>
    filters().map((one) => ({
      ...one,
      name: `${one.name}, ${name}`,
      query: { ...one.query, ...scope },
    }))
  const newest = [
    ...alone,
    ...within(inFolder, 'in a folder'),
    ...within({ status: 'ready' }, 'with a frequent status'),
    ...within({ status: 'failed' }, 'with a rare status'),
  ]
  return [
    ...newest.map((one): Find => ({ ...one, sort: '-created' })),
    ...alone.flatMap(({ name, query }): Find[] => [
      { name: `${name}, by title`, query, sort: 'title' },
      { name: `${name}, by change`, query, sort: '-updated' },
    ]),
  ]
}

/** Several filters at once, which no index has together. Each has to end within the limit of a statement. */
export const MIXES: readonly Find[] = [
  {
    name: 'two tags, metadata and a word',
    query: { tags: ['common', 'course 7'], metadata: { room: '1' }, words: 'lecture' },
    sort: '-created',
  },
  {
    name: 'a tag, a part of the title and lengths, by title',
    query: { tags: ['common'], titlePart: 'concert', durationMs: { lt: 60_000 } },
    sort: 'title',
  },
  {
    name: 'a tag and metadata that no video has both, by change',
    query: { tags: ['course 7'], metadata: { course: '8' } },
    sort: '-updated',
  },
]

/** Reads the first page of a search and the one behind it; `timed` wraps each. */
export async function readTwoPages(
  em: EntityManager,
  accountId: number,
  { query, sort }: Find,
  timed: <T>(read: () => Promise<T>) => Promise<T> = (read) => read(),
): Promise<void> {
  const request: VideoPageRequest = { sort, limit: LIMIT }
  const { last } = await timed(() => findVideos(em, { accountId, ...query }, request))
  const after = last ?? undefined
  await timed(() => findVideos(em, { accountId, ...query }, { ...request, after }))
}
