import type { EntityManager } from '../../db/database.ts'
import { findFolder, type FolderDetails } from '../../db/videos/folders.ts'
import { deleteFolderRow, insertFolder, updateFolderName } from '../../db/videos/write-folders.ts'
import { FOLDERS_MAX } from '../../domain/limits.ts'
import { Refusal, refuseViolation } from '../refusal.ts'

/**
 * Creates a folder. Call it in a transaction. Refuses with `too_many_folders`, and with `folder_exists` for a name
 * that the account already uses.
 */
export async function createFolder(
  tx: EntityManager,
  accountId: number,
  name: string,
): Promise<FolderDetails> {
  const folder = await refuseUsedName(insertFolder(tx, accountId, name, FOLDERS_MAX))
  if (!folder) throw new Refusal('too_many_folders')
  return folder
}

/** Renames a folder. Refuses with `folder_exists` for a used name, and with `folder_not_found`. */
export async function renameFolder(
  tx: EntityManager,
  accountId: number,
  id: number,
  name: string,
): Promise<FolderDetails> {
  await refuseUsedName(updateFolderName(tx, accountId, id, name))
  const folder = await findFolder(tx, accountId, id)
  if (!folder) throw new Refusal('folder_not_found')
  return folder
}

/** Deletes an empty folder. Refuses with `folder_not_empty` and `folder_not_found`. */
export async function deleteFolder(
  tx: EntityManager,
  accountId: number,
  id: number,
): Promise<void> {
  const deletion = deleteFolderRow(tx, accountId, id)
  if (!(await refuseViolation(deletion, 'foreignKey', 'folder_not_empty')))
    throw new Refusal('folder_not_found')
}

const refuseUsedName = <T>(write: Promise<T>): Promise<T> =>
  refuseViolation(write, 'unique', 'folder_exists', { field: 'name' })
