import { lockAccount } from '../accounts/accounts.ts'
import type { EntityManager } from '../database.ts'
import { Folder } from '../entities/video.ts'
import { queries } from '../queries.ts'
import type { FolderDetails } from './folders.ts'

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
