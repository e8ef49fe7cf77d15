import { z } from 'zod'
import { createFolder, deleteFolder, renameFolder } from '../../commands/folders/folders.ts'
import type { EntityManager } from '../../db/database.ts'
import { lockVersion } from '../../db/versions.ts'
import { findFolder, listFolders, type FolderDetails } from '../../db/videos/folders.ts'
import { FOLDER_NAME_MAX_LENGTH } from '../../domain/limits.ts'
import { orNotFound } from '../../http/api-error.ts'
import { listQuery, rowIdInQuery, rowIdParameter, toPage } from '../../http/list.ts'
import { operation, type WithEtag } from '../../http/operation.ts'
import { text } from '../../http/text.ts'
import { listView } from '../../views/list.ts'
import {
  deletedFolderSchema,
  folderListSchema,
  folderSchema,
  folderView,
} from '../../views/videos/folder.ts'

/** Body of POST /v1/folders and of PATCH /v1/folders/{id}. */
const folderBody = z.strictObject({
  // Two names that look alike are one.
  name: text({ maxLength: FOLDER_NAME_MAX_LENGTH, example: 'Autumn' }).overwrite((name) =>
    name.trim().normalize('NFC'),
  ),
})

const folderIdParameter = rowIdParameter('folder_not_found')
const listFoldersQuery = listQuery(rowIdInQuery, {})

const tag = 'Folders'
const params = { id: folderIdParameter }

/** Reads a folder for the audit log. */
async function readFolder(tx: EntityManager, accountId: number, { id }: { id: number }) {
  const folder = await findFolder(tx, accountId, id)
  return folder && folderView(folder)
}

const versioned = {
  lock: (tx: EntityManager, accountId: number, { id }: { id: number }) =>
    lockVersion(tx, 'folder', accountId, id),
}

const tagged = (withEtag: WithEtag, details: FolderDetails) =>
  withEtag(details.folder.version, folderView(details))

const create = operation({
  id: 'createFolder',
  method: 'post',
  path: '/v1/folders',
  tag,
  summary: 'Create a folder',
  scope: 'folders:write',
  body: folderBody,
  status: 201,
  response: folderSchema,
  audit: { action: 'folder.create', fields: ['name'] },
  errors: ['folder_exists', 'too_many_folders'],
  hasEtag: true,
  handle({ accountId, body, commit, withEtag }) {
    return commit(async (tx) => tagged(withEtag, await createFolder(tx, accountId, body.name)))
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
  response: folderListSchema,
  async handle({ deps, accountId, query }) {
    const page = await listFolders(deps.db.em.fork(), accountId, toPage(query))
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
  response: folderSchema,
  hasEtag: true,
  async handle({ deps, accountId, params: { id }, withEtag }) {
    const folder = await findFolder(deps.db.em.fork(), accountId, id)
    return tagged(withEtag, orNotFound(folder, 'folder_not_found'))
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
  response: folderSchema,
  audit: { action: 'folder.update', fields: ['name'], before: readFolder },
  errors: ['folder_exists'],
  hasEtag: true,
  versioned,
  handle({ accountId, params: { id }, body, commit, withEtag }) {
    return commit(async (tx) => tagged(withEtag, await renameFolder(tx, accountId, id, body.name)))
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
  response: deletedFolderSchema,
  audit: { action: 'folder.delete', fields: ['name'], before: readFolder },
  errors: ['folder_not_empty'],
  versioned,
  handle({ accountId, params: { id }, commit }) {
    return commit(async (tx) => {
      await deleteFolder(tx, accountId, id)
      return { id, object: 'folder', deleted: true }
    })
  },
})

export const folderOperations = [create, list, get, rename, remove]
