import type { QueryClient } from '@tanstack/react-query'
import { FILENAME_MAX_LENGTH } from '../../../domain/limits.ts'
import { readableTitle } from '../../../domain/videos/readable-title.ts'
import { apiOf, unwrap } from '../api/client.ts'
import { isSignedOut } from '../api/connection.ts'
import { problemOf } from '../api/problem.ts'
import type { components } from '../api/schema.ts'
import { foldersQuery } from '../api/videos.ts'
import { browserStorage } from './browser-storage.ts'
import { chunkSize } from './queue/chunk-size.ts'
import { fileSender } from './queue/send-file.ts'
import type { UploadItem } from './queue/upload-item.ts'
import type { ServerUpload, UploadService } from './queue/upload-queue.ts'
import { untilWorthTrying } from './wake-ups.ts'

const send = fileSender(chunkSize(browserStorage()))

/** What the queue of an account does on the server, as the signed-in member. */
export function uploadService(account: string, client: QueryClient): UploadService<File> {
  const folderIdOf = folderFinder(account, client)
  const create = async (item: UploadItem<File>): Promise<ServerUpload> => {
    const body = {
      filename: filenameOf(item),
      size_bytes: item.sizeBytes,
      title: readableTitle(item.name) || undefined,
      folder_id: await folderIdOf(item.folder),
      // Of this page: no other one may send this file.
      allowed_origin: location.origin,
    }
    return viewOf(await noted(unwrap(apiOf(account).POST('/v1/uploads', { body }))))
  }
  let last: Promise<unknown> = Promise.resolve()
  return {
    // One after the other: two requests of the same content at once would have one Idempotency-Key.
    create(item) {
      const created = last.then(() => create(item))
      last = created.catch(() => {})
      return created
    },
    async find(id) {
      const call = apiOf(account).GET('/v1/uploads/{id}', { params: { path: { id } } })
      return viewOf(await noted(unwrap(call)))
    },
    async cancel(id) {
      await noted(unwrap(apiOf(account).DELETE('/v1/uploads/{id}', { params: { path: { id } } })))
    },
    send,
    pause: untilWorthTrying,
    now: () => Date.now(),
  }
}

const viewOf = (upload: components['schemas']['Upload']): ServerUpload => ({
  id: upload.id,
  url: upload.upload_url,
  sentBytes: upload.offset_bytes,
  videoId: upload.video_id,
})

/** The name as the API takes it. */
const filenameOf = ({ name }: UploadItem): string =>
  name.replaceAll(/\p{C}/gu, '').slice(-FILENAME_MAX_LENGTH).trim() || 'video'

/** Shows that the member is signed out, or in again. */
async function noted<T>(call: Promise<T>): Promise<T> {
  try {
    const response = await call
    isSignedOut.set(false)
    return response
  } catch (error) {
    if (problemOf(error).code === 'not_signed_in') isSignedOut.set(true)
    throw error
  }
}

/** Finds the folders of an account by their names, and makes those that do not exist. */
function folderFinder(account: string, client: QueryClient) {
  const known = new Map<string, Promise<number>>()
  const find = async (name: string): Promise<number> => {
    const folders = await client.fetchQuery({ ...foldersQuery(account), staleTime: 0 })
    const found = folders.find((folder) => folder.name.normalize('NFC') === name)
    if (found) return found.id
    const { id } = await unwrap(apiOf(account).POST('/v1/folders', { body: { name } }))
    await client.invalidateQueries(foldersQuery(account))
    return id
  }
  return async (folder: UploadItem['folder']): Promise<number | null> => {
    if (typeof folder !== 'string') return folder
    const id = known.get(folder) ?? find(folder)
    known.set(folder, id)
    try {
      return await id
    } catch (error) {
      known.delete(folder)
      throw error
    }
  }
}
