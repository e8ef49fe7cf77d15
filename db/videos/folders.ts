import type { EntityManager } from '../database.ts'
import { Folder } from '../entities/video.ts'
import { exactlyOne, queries } from '../queries.ts'
import { lockAccount } from '../accounts/accounts.ts'
import { byId, findPage } from '../page.ts'
import type { Page, PageRequest } from '../page.ts'

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

/**
 * Inserts a folder; null if the account has `most` of them already. Fails (`unique`) if the account has a
 * folder of this name. Locks the account's row: see `lockAccount`.
 */
export async function insertFolder(
  em: EntityManager,
  accountId: number,
  name: string,
  most: number,
): Promise<FolderDetails | null> {
  await lockAccount(em, accountId)
  if ((await em.count(Folder, { accountId })) >= most) return null
  const folder = await queries(em)
    .insertInto('folder')
    .values({ accountId, name })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { folder, videoCount: 0 }
}

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

/** Renames a folder of the account. Does nothing if the account has no such folder. Fails (`unique`) for a used name. */
export async function updateFolderName(
  em: EntityManager,
  accountId: number,
  id: number,
  name: string,
): Promise<void> {
  await em.nativeUpdate(Folder, { id, accountId }, { name, updatedAt: new Date() })
}

/** Deletes a folder of the account. False if the account has no such folder. Fails (`foreignKey`) if it holds videos. */
export const deleteFolderRow = async (
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<boolean> => (await em.nativeDelete(Folder, { id, accountId })) > 0
