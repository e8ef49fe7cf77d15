import type { EntityManager } from '../database.ts'
import { Folder } from '../entities/video.ts'
import { byId, findPage, type Page, type PageRequest } from '../page.ts'
import { exactlyOne, queries } from '../queries.ts'

/** A folder and how many videos it holds. */
export interface FolderDetails {
  folder: Folder
  videoCount: number
}

/** True if the folder is the account's. */
export const hasFolder = async (
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<boolean> => (await em.count(Folder, { id, accountId })) > 0

/** The account's folder, or null. */
export async function findFolder(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<FolderDetails | null> {
  const folder = await em.findOne(Folder, { id, accountId })
  return folder ? exactlyOne(await withCounts(em, [folder])) : null
}

/** A page of the account's folders, newest first. */
export async function listFolders(
  em: EntityManager,
  accountId: number,
  request: PageRequest<number>,
): Promise<Page<FolderDetails>> {
  const page = await findPage(request, (read) => {
    const { where, orderBy } = byId(read)
    return em.find(Folder, { accountId, ...where }, { orderBy, limit: read.limit })
  })
  return { ...page, rows: await withCounts(em, page.rows) }
}

async function withCounts(em: EntityManager, folders: Folder[]): Promise<FolderDetails[]> {
  if (folders.length === 0) return []
  const ids = folders.map(({ id }) => id)
  const rows = await queries(em)
    .selectFrom('video')
    .select(({ fn }) => ['folderId', fn.countAll<number>().as('count')])
    .where('folderId', 'in', ids)
    .where('deletedAt', 'is', null)
    .groupBy('folderId')
    .execute()
  const counts = new Map(rows.map(({ folderId, count }) => [folderId, count]))
  return folders.map((folder) => ({ folder, videoCount: counts.get(folder.id) ?? 0 }))
}
