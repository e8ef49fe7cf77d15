import { activityInfo, heartbeat, log } from '@temporalio/activity'
import type { Database } from '../../db/database.ts'
import { findObjectOwners } from '../../db/videos/object-owners.ts'
import { UNUSED_OBJECT_KEPT_MS } from '../../domain/limits.ts'
import {
  isVideoId,
  OBJECT_ROOTS,
  unusedPrefixOf,
  type ObjectOwner,
  type ObjectsPage,
  type ObjectsPosition,
} from '../../domain/videos/unused-objects.ts'
import { isFinal } from '../../domain/videos/video-state.ts'
import { removedObjects } from '../../metrics/ingest.ts'
import type { ObjectStorage } from '../../storage/object-storage.ts'

const PAGE_FOLDERS = 200
/** So many attempts of a step try a folder; the next ones go on without it. */
const FOLDER_ATTEMPTS = 4

interface Deps {
  db: Database
  storage: ObjectStorage
  /** How many folders of videos one call looks at; 200 by default. */
  objectPageFolders?: number
}

/**
 * Removes what attempts have left in the next folders of videos after their video had ended: one page of folders, one
 * query for their videos, and one list of each video that has ended. Its state is final, so what it does not need when it
 * is read it never needs. A prefix with an object of the last day stays: an attempt may still write. Folders of videos that
 * the database does not know stay too: it may be restored from an older backup. Safe to run twice. A folder that cannot be
 * removed fails the first attempts; a later one logs and counts it, and goes on with the others, unless the storage is away.
 */
export async function removeUnusedObjects(
  { db, storage, objectPageFolders = PAGE_FOLDERS }: Deps,
  position: ObjectsPosition,
): Promise<ObjectsPage> {
  const root = OBJECT_ROOTS[position.root]
  if (root === undefined) return { removed: 0, next: null }
  const page = { after: position.after, limit: objectPageFolders }
  const folders = await storage.listFolders(root, page)
  const ids = folders.filter(isVideoId)
  const owners = await findObjectOwners(db.em.fork(), ids)
  const next = positionBehind(position.root, folders)
  let [removed, failed] = [0, 0]
  for (const [id, owner] of owners) {
    if (!hasEnded(owner)) continue
    const folder = `${root}${id}/`
    try {
      removed += await removeUnused(storage, folder, owner)
    } catch (err) {
      await requireFolderFault(storage, err)
      log.error('objects that no video needs cannot be removed', { folder, err })
      failed += 1
    }
    heartbeat()
  }
  const unknown = ids.length - owners.size
  if (unknown > 0) log.info('the storage has videos that the database does not know', { unknown })
  return { removed, failed, next: next.root < OBJECT_ROOTS.length ? next : null }
}

/** Throws while the fault may be over at the next attempt: after few attempts, and while the storage is away. */
async function requireFolderFault(
  storage: Pick<ObjectStorage, 'check'>,
  error: unknown,
): Promise<void> {
  if (activityInfo().attempt <= FOLDER_ATTEMPTS) throw error
  await storage.check()
}

function positionBehind(root: number, folders: string[]): ObjectsPosition {
  const last = folders.at(-1)
  return last === undefined ? { root: root + 1, after: '' } : { root, after: last }
}

const hasEnded = ({ status, isDeleted }: ObjectOwner): boolean => isDeleted || isFinal(status)

async function removeUnused(
  storage: ObjectStorage,
  folder: string,
  owner: ObjectOwner,
): Promise<number> {
  const youngAfter = new Date(Date.now() - UNUSED_OBJECT_KEPT_MS)
  const isYoung = new Map<string, boolean>()
  for await (const { key, modifiedAt } of storage.list(folder)) {
    const prefix = unusedPrefixOf(key, owner)
    if (prefix !== null)
      isYoung.set(prefix, (isYoung.get(prefix) ?? false) || modifiedAt > youngAfter)
    heartbeat()
  }
  let removed = 0
  for (const [prefix, hasYoung] of isYoung) {
    if (hasYoung) continue
    const count = await storage.deletePrefix(prefix, () => heartbeat())
    log.info('removed objects that no video needs', { prefix, count })
    removedObjects.inc(count)
    removed += count
  }
  return removed
}
