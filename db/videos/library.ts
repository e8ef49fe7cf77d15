import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { Folder, type Video } from '../entities/video.ts'
import { queries } from '../queries.ts'

/** Which videos of an account leave with an export. */
export interface LibraryFilter {
  accountId: number
  folderId?: number | undefined
  ids?: readonly string[] | undefined
}

const PAGE_ROWS = 100

/** A video with the time of its creation to the microsecond. */
type ReadVideo = Video & { at: string }

/**
 * Reads the videos of an account, oldest first, without deleted ones. Each page is a unit of work that `openEm` opens. Between two pages
 * may be days, in which the last video can be purged.
 */
export async function* readLibrary(
  openEm: () => Promise<EntityManager>,
  filter: LibraryFilter,
): AsyncGenerator<Video> {
  for (let after: ReadVideo | undefined; ;) {
    const page: ReadVideo[] = await readPage(await openEm(), filter, after)
    yield* page
    if (page.length < PAGE_ROWS) return
    after = page.at(-1)
  }
}

async function readPage(
  em: EntityManager,
  { accountId, folderId, ids }: LibraryFilter,
  after: ReadVideo | undefined,
): Promise<ReadVideo[]> {
  let videos = queries(em)
    .selectFrom('video')
    .selectAll()
    .select(sql<string>`created_at::text`.as('at'))
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
  if (folderId !== undefined) videos = videos.where('folderId', '=', folderId)
  if (ids !== undefined) videos = videos.where('id', 'in', [...ids])
  if (after !== undefined)
    videos = videos.where(sql<boolean>`(created_at, id) > (${after.at}::timestamptz, ${after.id})`)
  return videos.orderBy('createdAt').orderBy('id').limit(PAGE_ROWS).execute()
}

/** The names of all folders of an account, by id. */
export async function readFolderNames(
  em: EntityManager,
  accountId: number,
): Promise<Map<number, string>> {
  const folders = await em.find(Folder, { accountId })
  return new Map(folders.map(({ id, name }) => [id, name]))
}
