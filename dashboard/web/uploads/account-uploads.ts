import type { QueryClient } from '@tanstack/react-query'
import { apiOf, unwrap } from '../api/client.ts'
import { problemOf } from '../api/problem.ts'
import { randomId } from '../api/random-id.ts'
import { refreshVideos } from '../api/videos.ts'
import { holdPage } from '../parts/forms/unsaved-changes.ts'
import { createStore, type Store } from '../store.ts'
import { browserStorage } from './browser-storage.ts'
import { refuseFile, type FileRefusal } from './queue/refuse-file.ts'
import { rememberedUploads, type RememberedUploads } from './queue/remembered-uploads.ts'
import {
  isOpen,
  isSameFile,
  isUnderWay,
  type ChosenFile,
  type UploadItem,
} from './queue/upload-item.ts'
import { uploadLocks, type UploadLocks } from './queue/upload-locks.ts'
import { UploadQueue, type UploadService } from './queue/upload-queue.ts'
import { uploadService } from './upload-service.ts'

/** A file that is not sent. */
export interface RefusedFile {
  key: string
  name: string
  reason: FileRefusal
  /** What the plan had left. */
  roomBytes: number
}

/** The uploads of a member in an account. They go on while the member is on other pages. */
export interface AccountUploads {
  items: Store<readonly UploadItem<File>[]>
  refused: Store<readonly RefusedFile[]>
  queue: UploadQueue<File>
  /** Sends files: each continues the upload that was begun with it, or begins one. */
  add: (files: readonly ChosenFile<File>[]) => Promise<void>
}

interface Owner {
  account: string
  memberId: number
}

const opened = new Map<string, AccountUploads>()

/** The uploads of a member in an account, with those that were begun before the page was loaded. */
export function uploadsOf(owner: Owner, client: QueryClient): AccountUploads {
  const key = `${owner.account} ${owner.memberId}`
  const uploads = opened.get(key) ?? openUploads(owner, client)
  opened.set(key, uploads)
  return uploads
}

function openUploads(owner: Owner, client: QueryClient): AccountUploads {
  const items = createStore<readonly UploadItem<File>[]>([])
  const refused = createStore<readonly RefusedFile[]>([])
  const service = uploadService(owner.account, client)
  const remembered = rememberedUploads(browserStorage(), owner)
  const locks = uploadLocks(navigator.locks)
  const keep = pageKeeper()
  const queue = new UploadQueue(service, (all, changed) => {
    items.set(all)
    keep(all.some(isUnderWay))
    if (all.includes(changed)) remembered.keep(changed)
    else remembered.forget(changed.key)
    if (!all.includes(changed) || changed.state === 'done') locks.release(changed.key)
    if (changed.state === 'done') void refresh(client, owner.account)
  })
  for (const key of remembered.keys())
    void locks.hold(key).then(() => restore(key, { remembered, locks, service, queue }))
  const add = async (files: readonly ChosenFile<File>[]): Promise<void> => {
    const others = files.filter((one) => !continueWith(queue, one))
    if (others.length === 0) return
    let roomBytes = await readRoom(owner.account, queue.items)
    for (const { file, folder } of others) {
      const reason = refuseFile(file, roomBytes)
      const key = randomId()
      if (reason) {
        const one = { key, name: file.name, reason, roomBytes: roomBytes ?? 0 }
        refused.set([...refused.get(), one])
        continue
      }
      if (roomBytes !== null) roomBytes -= file.size
      void locks.hold(key)
      queue.add(key, { file, folder })
    }
  }
  return { items, refused, queue, add }
}

/** Asks before the page is left while it is needed. */
function pageKeeper(): (isNeeded: boolean) => void {
  let release: (() => void) | null = null
  return (isNeeded) => {
    if (isNeeded) release ??= holdPage()
    else {
      release?.()
      release = null
    }
  }
}

async function refresh(client: QueryClient, account: string): Promise<void> {
  await refreshVideos(client, account)
  await client.invalidateQueries({ queryKey: ['overview', account] })
}

/** Continues the upload that was begun with a file. True also for one that is under way. */
function continueWith(queue: UploadQueue<File>, { file, folder }: ChosenFile<File>): boolean {
  const same = queue.items.filter((item) => isOpen(item) && isSameFile(item, file))
  const begun = same.find((item) => item.file === null) ?? same.find((one) => one.folder === folder)
  if (!begun) return false
  queue.choose(begun.key, file)
  return true
}

/** How many bytes of the plan are free for further files; null if they are unlimited, or not known. */
async function readRoom(account: string, items: readonly UploadItem[]): Promise<number | null> {
  const usage = await unwrap(apiOf(account).GET('/v1/usage', {})).catch(() => null)
  const {
    limit_bytes: limit = null,
    used_bytes: used,
    reserved_bytes: reserved,
  } = usage?.storage ?? {}
  if (limit === null) return null
  const waiting = items.filter((item) => isOpen(item) && item.uploadId === null)
  const planned = waiting.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return Math.max(limit - (used ?? 0) - (reserved ?? 0) - planned, 0)
}

interface Restoring {
  remembered: RememberedUploads
  locks: UploadLocks
  service: UploadService<File>
  queue: UploadQueue<File>
}

/** Puts an upload of an earlier visit on the list: paused, until its file is chosen again; or done, if its last byte has arrived. */
async function restore(
  key: string,
  { remembered, locks, service, queue }: Restoring,
): Promise<void> {
  const kept = remembered.read(key)
  const found = kept && (await askServer(service, kept.uploadId))
  if (!kept || !found || (found.url === null && found.videoId === null && found.isKnown)) {
    remembered.forget(key)
    return locks.release(key)
  }
  const { sentBytes, videoId } = found
  queue.restore({
    ...kept,
    file: null,
    state: videoId === null ? 'paused' : 'done',
    failure: null,
    delay: null,
    bytesPerSecond: null,
    sentBytes,
    videoId,
  })
}

const UNKNOWN = { url: null, videoId: null, sentBytes: 0, isKnown: false }

/** What the server says of an upload; null if it has none of this id. Without a response, the upload may go on. */
async function askServer(service: UploadService<File>, uploadId: number | null) {
  if (uploadId === null) return UNKNOWN
  try {
    return { ...(await service.find(uploadId)), isKnown: true }
  } catch (error) {
    return problemOf(error).status === 404 ? null : UNKNOWN
  }
}
