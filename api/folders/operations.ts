import type { EntityManager } from '../../db/database.ts'
import {
  deleteFolder,
  findFolder,
  insertFolder,
  listFolders,
  renameFolder,
} from '../../db/folders.ts'
import type { FolderDetails } from '../../db/folders.ts'
import { FOLDERS_MAX } from '../../domain/limits.ts'
import { ApiError } from '../api-error.ts'
import { pageOf, unknownCursor } from '../list.ts'
import { operation } from '../operation.ts'
import { refuseViolation } from '../refuse-violation.ts'
import { folderBody, folderIdParameter, listFoldersQuery } from './schemas.ts'
import {
  deletedFolderSchema,
  folderListSchema,
  folderSchema,
  folderView,
} from '../../views/folder.ts'
import { listView } from '../../views/list.ts'

const tag = 'Folders'
const params = { id: folderIdParameter }

const create = operation({
  id: 'createFolder',
  method: 'post',
  path: '/v1/folders',
  tag,
  summary: 'Create a folder',
  scope: 'folders:write',
  body: folderBody,
  status: 201,
  answer: folderSchema,
  errors: ['folder_exists', 'too_many_folders'],
  handle({ accountId, body, commit }) {
    return commit(async (tx) => {
      const made = await uniquely(insertFolder(tx, accountId, body.name, FOLDERS_MAX))
      if (!made) throw new ApiError('too_many_folders')
      return folderView(made)
    })
  },
})

const list = operation({
  id: 'listFolders',
  method: 'get',
  path: '/v1/folders',
  tag,
  summary: 'List folders, newest first',
  scope: 'folders:read',
  query: listFoldersQuery,
  status: 200,
  answer: folderListSchema,
  async handle({ deps, accountId, query }) {
    const page = await listFolders(deps.db.em.fork(), accountId, pageOf(query))
    if (!page) throw unknownCursor(query, 'folder')
    return listView(page, folderView, '/v1/folders')
  },
})

const get = operation({
  id: 'getFolder',
  method: 'get',
  path: '/v1/folders/{id}',
  tag,
  summary: 'Get a folder',
  scope: 'folders:read',
  params,
  status: 200,
  answer: folderSchema,
  async handle({ deps, accountId, params: { id } }) {
    return folderView(await requireFolder(deps.db.em.fork(), accountId, id))
  },
})

const rename = operation({
  id: 'renameFolder',
  method: 'patch',
  path: '/v1/folders/{id}',
  tag,
  summary: 'Rename a folder',
  scope: 'folders:write',
  params,
  body: folderBody,
  status: 200,
  answer: folderSchema,
  errors: ['folder_exists'],
  handle({ accountId, params: { id }, body, commit }) {
    return commit(async (tx) => {
      await uniquely(renameFolder(tx, accountId, id, body.name))
      return folderView(await requireFolder(tx, accountId, id))
    })
  },
})

const remove = operation({
  id: 'deleteFolder',
  method: 'delete',
  path: '/v1/folders/{id}',
  tag,
  summary: 'Delete an empty folder',
  scope: 'folders:write',
  params,
  status: 200,
  answer: deletedFolderSchema,
  errors: ['folder_not_empty'],
  handle({ accountId, params: { id }, commit }) {
    return commit(async (tx) => {
      if (!(await unlessInUse(deleteFolder(tx, accountId, id))))
        throw new ApiError('folder_not_found')
      return { id, object: 'folder', deleted: true }
    })
  },
})

async function requireFolder(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<FolderDetails> {
  const found = await findFolder(em, accountId, id)
  if (!found) throw new ApiError('folder_not_found')
  return found
}

const uniquely = <T>(write: Promise<T>): Promise<T> =>
  refuseViolation(write, 'unique', () => new ApiError('folder_exists', { param: 'name' }))

const unlessInUse = <T>(write: Promise<T>): Promise<T> =>
  refuseViolation(write, 'foreignKey', () => new ApiError('folder_not_empty'))

export const folderOperations = [create, list, get, rename, remove]
