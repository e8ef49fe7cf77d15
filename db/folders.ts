import type { EntityManager } from './database.ts'
import { Folder } from './entities/video.ts'
import { byId, findPage, hasCursor } from './page.ts'
import type { Page, PageRequest } from './page.ts'

/** A folder and how many videos it holds. */
export interface FolderDetails {
  folder: Folder
  videoCount: number
}

/** True where the folder is the account's. */
export const hasFolder = async (
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<boolean> => (await em.count(Folder, { id, accountId })) > 0

/**
 * Inserts a folder; null where the account has `most` of them already. Fails on a name that the
 * account has used. The account's row is locked, so that two at once cannot both be the last one.
 */
export async function insertFolder(
  em: EntityManager,
  accountId: number,
  name: string,
  most: number,
): Promise<FolderDetails | null> {
  await em.execute('select 1 from account where id = ? for no key update', [accountId])
  if ((await em.count(Folder, { accountId })) >= most) return null
  const id: number = await em.insert(Folder, { accountId, name })
  return { folder: await em.findOneOrFail(Folder, { id }), videoCount: 0 }
}

/** The account's folder, or null. */
export async function findFolder(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<FolderDetails | null> {
  const folder = await em.findOne(Folder, { id, accountId })
  return folder ? ((await withCounts(em, [folder]))[0] ?? null) : null
}

/** A page of the account's folders, newest first. Null where the cursor is none of them. */
export async function listFolders(
  em: EntityManager,
  accountId: number,
  request: PageRequest<number>,
): Promise<Page<FolderDetails> | null> {
  if (!(await hasCursor(em, Folder, accountId, request))) return null
  const page = await findPage(request, (read) => {
    const { where, orderBy } = byId(read)
    return em.find(Folder, { accountId, ...where }, { orderBy, limit: read.limit })
  })
  return { ...page, rows: await withCounts(em, page.rows) }
}

async function withCounts(em: EntityManager, folders: Folder[]): Promise<FolderDetails[]> {
  if (folders.length === 0) return []
  const rows = await em.execute<{ id: number; count: number }[]>(
    `select folder_id as id, count(*)::int as count from video
     where folder_id = any(?::int[]) and deleted_at is null group by folder_id`,
    [`{${folders.map(({ id }) => id).join(',')}}`],
  )
  const counts = new Map(rows.map(({ id, count }) => [id, count]))
  return folders.map((folder) => ({ folder, videoCount: counts.get(folder.id) ?? 0 }))
}
