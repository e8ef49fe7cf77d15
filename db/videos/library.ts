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

/** Reads the videos of an account, oldest first, without deleted ones. Each page is a unit of work that `openEm` opens. */
export async function* readLibrary(
  openEm: () => Promise<EntityManager>,
  filter: LibraryFilter,
): AsyncGenerator<Video> {
  for (let after: string | null = null; ;) {
    const page: Video[] = await readPage(await openEm(), filter, after)
    yield* page
    if (page.length < PAGE_ROWS) return
    after = page.at(-1)?.id ?? null
  }
}

async function readPage(
  em: EntityManager,
  { accountId, folderId, ids }: LibraryFilter,
  after: string | null,
): Promise<Video[]> {
  let videos = queries(em)
    .selectFrom('video')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
  if (folderId !== undefined) videos = videos.where('folderId', '=', folderId)
  if (ids !== undefined) videos = videos.where('id', 'in', [...ids])
  if (after !== null)
    videos = videos.where(
      sql<boolean>`(created_at, id) > (select c.created_at, c.id from video c where c.id = ${after})`,
    )
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
