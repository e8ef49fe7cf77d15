import {
  atPath,
  deletedOf,
  toInit,
  unwrap,
  type CallOptions,
  type ChangeOptions,
  type CreateOptions,
  type Http,
} from '../http.ts'
import { everyItem, PAGE_LIMIT_MAX } from '../pagination.ts'
import type { Body, DeletedFolder, Filters, Folder, FolderList, Query } from '../types.ts'

/** Calls for folders; each throws ReelgateError. */
export function foldersOf(http: Http) {
  const folders = {
    create: (body: Body<'createFolder'>, options: CreateOptions = {}): Promise<Folder> =>
      unwrap<'createFolder'>(http.POST('/v1/folders', { body, ...toInit(options) })),

    /** One page, newest first. */
    list: (query: Query<'listFolders'> = {}, options: CallOptions = {}): Promise<FolderList> =>
      unwrap<'listFolders'>(http.GET('/v1/folders', { params: { query }, ...toInit(options) })),

    /** Every folder, newest first, page by page. */
    listAll: (
      query: Filters<'listFolders'> = {},
      options: CallOptions = {},
    ): AsyncGenerator<Folder, void, undefined> =>
      everyItem<Folder>((cursor) =>
        folders.list({ limit: PAGE_LIMIT_MAX, ...query, ...cursor }, options),
      ),

    get: (id: number, options: CallOptions = {}): Promise<Folder> =>
      unwrap<'getFolder'>(http.GET('/v1/folders/{id}', atPath({ id }, options))),

    rename: (
      id: number,
      body: Body<'renameFolder'>,
      options: ChangeOptions = {},
    ): Promise<Folder> =>
      unwrap<'renameFolder'>(http.PATCH('/v1/folders/{id}', { ...atPath({ id }, options), body })),

    /** Deletes an empty folder; others are refused with folder_not_empty. */
    delete: (id: number, options: ChangeOptions = {}): Promise<DeletedFolder> =>
      deletedOf(unwrap<'deleteFolder'>(http.DELETE('/v1/folders/{id}', atPath({ id }, options))), {
        id,
        object: 'folder',
        deleted: true,
      }),
  }
  return folders
}
