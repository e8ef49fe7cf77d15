import type { EntityManager } from '../../db/database.ts'
import { hasFolder } from '../../db/folders.ts'
import { ERRORS } from '../../domain/error-codes.ts'
import { ROW_ID_MAX } from '../../domain/row-id.ts'
import { ApiError } from '../api-error.ts'
import { refuseViolation } from '../refuse-violation.ts'

const { bodyStatus: status } = ERRORS.folder_not_found
const notTheirs = () => new ApiError('folder_not_found', { status, param: 'folder_id' })

/** Throws 400 `folder_not_found` unless a `folder_id` of a body is the account's, or there is none. */
export async function requireFolder(
  em: EntityManager,
  accountId: number,
  folderId: number | null | undefined,
): Promise<void> {
  if (folderId === undefined || folderId === null) return
  const canBe = folderId > 0 && folderId <= ROW_ID_MAX
  if (!canBe || !(await hasFolder(em, accountId, folderId))) throw notTheirs()
}

/** Says it the same way where the folder was deleted between that look and the write. */
export const withFolder = <T>(write: Promise<T>): Promise<T> =>
  refuseViolation(write, 'foreignKey', notTheirs)
