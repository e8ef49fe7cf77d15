import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { withBackupLock } from '../../db/backup/connection.ts'
import { withSnapshot } from '../../db/backup/snapshot.ts'
import {
  findVideosDeletedSince,
  readVideosWithMedia,
  type VideoWithMedia,
} from '../../db/backup/videos.ts'
import { openDatabase, type Database, type EntityManager } from '../../db/database.ts'
import { BACKUP_ACTION } from '../../domain/accounts/audit.ts'
import { formatBytes } from '../../domain/format-bytes.ts'
import type { ObjectStorage } from '../../storage/object-storage.ts'
import { audited } from '../audited.ts'
import { CliError } from '../errors.ts'
import {
  firstListOf,
  manifestOf,
  objectListOf,
  openBackupFolder,
  verifyFile,
  type BackupFolder,
} from './backup-folder.ts'
import { copyVideoObjects, noCopies, type CopyCount } from './copy-objects.ts'
import { dumpTables, readMasterKeyFacts, requireSameSchema } from './dump-database.ts'
import { describeFailure } from './errors.ts'
import { incompleteRenditions } from './expected-objects.ts'
import { digestFile } from './hash.ts'
import { formatManifest, readManifest, type Manifest } from './manifest.ts'
import { openCursor, writeList, type ListCursor, type ListedContent } from './object-list.ts'
import { pruneBackups } from './prune-backups.ts'
import { withStorageErrors } from './storage-errors.ts'
import { throttled } from './throttled.ts'

export interface BackupOptions {
  dir: string
  databaseUrl: string
  storage: ObjectStorage
  /** How many backups stay in the folder; null for all. */
  keep: number | null
  /** Receives lines about the progress. */
  note: (line: string) => void
}

export interface BackupResult {
  manifest: Omit<Manifest, 'format'>
  path: string
  count: CopyCount
  removed: string[]
}

/** A backup that is being made. */
interface Run extends Omit<BackupOptions, 'storage'> {
  storage: Pick<ObjectStorage, 'list' | 'get'>
  folder: BackupFolder
  db: Database
  path: string
  count: CopyCount
}

/**
 * Backs up the database and the objects of its videos while both are in use.
 *
 * The objects are copied first, which may take hours, then the database is read in one snapshot, then the objects that
 * came meanwhile are copied. So every object that the snapshot names is in the backup, unless it was removed between
 * the snapshot and the end of the second copy: an object of a video that was deleted then, which is recorded, or of an
 * ingest that ended then, which the first copy has if it is older. The manifest is written last.
 */
export async function createBackup(options: BackupOptions): Promise<BackupResult> {
  const dir = resolve(options.dir)
  const work = withBackupLock(options.databaseUrl, async (assertHeld) => {
    const db = await openDatabase({ url: options.databaseUrl, poolSize: 2 })
    try {
      await requireSameSchema(db, db.em.fork())
      const folder = openBackupFolder(dir)
      const name = new Date().toISOString().replaceAll(/[-:.]/g, '')
      const path = await folder.begin(name)
      const storage = withStorageErrors(options.storage)
      const run: Run = { ...options, storage, folder, db, path, count: noCopies() }
      await copyBefore(run)
      const manifest = { name, ...(await copySnapshot(run)) }
      await assertHeld()
      await folder.finish(name, formatManifest(manifest))
      await recordBackup(run)
      const removed = await pruneBackups(folder, options.keep)
      return { manifest, path: folder.toPath(name), count: run.count, removed }
    } finally {
      await db.close(true)
    }
  })
  return describeFailure(work)
}

/** Adds the complete backup to the audit log, for the metric of its age. A database that refuses it is no failure. */
async function recordBackup({ db, path, note }: Run): Promise<void> {
  const nothing = async () => undefined
  const describe = () => ({
    accountId: null,
    action: BACKUP_ACTION,
    subject: basename(path),
    fields: [],
  })
  try {
    await audited(db.em.fork(), nothing, describe)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    note(`The backup is complete. The audit log does not have it: ${reason}`)
  }
}

/** Copies the objects of all videos as they are now. */
async function copyBefore(run: Run): Promise<void> {
  const { folder, db, path, note } = run
  const interrupted = (await folder.unfinished()).filter((one) => one !== path)
  const earlier = await openEarlier(folder, interrupted)
  const list = await writeList(firstListOf(path))
  const progress = progressOf(run)
  try {
    for await (const { id } of readVideosWithMedia(() => db.em.fork())) {
      await list.add(await copyVideoObjects(id, { ...run, pool: folder.pool, earlier }))
      progress(undefined)
    }
  } finally {
    await list.end()
    for (const cursor of earlier) await cursor.close()
  }
  for (const one of interrupted) await rm(one, { recursive: true, force: true })
  note(`Copied ${run.count.newObjects} new objects (${formatBytes(run.count.newBytes)}).`)
}

/** Opens the lists whose objects need not be read again: those of interrupted backups and of the newest complete one. */
async function openEarlier(folder: BackupFolder, interrupted: string[]): Promise<ListCursor[]> {
  const paths = interrupted
    .toReversed()
    .flatMap((path) => [objectListOf(path), firstListOf(path)])
    .filter((path) => existsSync(path))
  const newest = (await folder.complete()).at(-1)
  if (newest !== undefined) paths.push(...(await verifiedList(folder.toPath(newest))))
  return paths.map(openCursor)
}

/** The list of a complete backup; none if it was damaged, and every object is then read again. */
async function verifiedList(path: string): Promise<string[]> {
  try {
    const { objects } = await readManifest(manifestOf(path))
    await verifyFile(objectListOf(path), objects.list)
    return [objectListOf(path)]
  } catch (error) {
    if (error instanceof CliError) return []
    throw error
  }
}

/** Writes the tables of a snapshot, and copies what its videos have and the first copy does not. */
async function copySnapshot(run: Run) {
  const { databaseUrl, db, path, note } = run
  const facts = await withSnapshot(databaseUrl, async (snapshot) => {
    const migrations = await requireSameSchema(db, snapshot.em)
    note('Reading the database …')
    const tables = await dumpTables(snapshot, path)
    const masterKeys = await readMasterKeyFacts(snapshot.em)
    const incomplete = await copyRest(run, () => snapshot.em)
    const { videos, objects, bytes } = run.count
    return {
      taken_at: snapshot.takenAt.toISOString(),
      postgres: snapshot.serverVersion,
      migrations,
      master_keys: masterKeys,
      tables,
      sequences: snapshot.sequences.map(({ name, lastValue }) => ({ name, last_value: lastValue })),
      partitions: snapshot.partitions.map(({ openedAt, ...one }) => ({
        ...one,
        opened_at: openedAt,
      })),
      videos,
      objects: { count: objects, bytes, list: await digestFile(objectListOf(path)) },
      incomplete,
    }
  })
  const { incomplete, ...rest } = facts
  const deleted = await findVideosDeletedSince(db.em.fork(), new Date(facts.taken_at))
  return {
    ...rest,
    deleted_videos: deleted,
    incomplete_videos: incomplete.filter((id) => !deleted.includes(id)),
  }
}

/** Resolves to the videos without all objects that their rows name. */
async function copyRest(run: Run, openEm: () => EntityManager): Promise<string[]> {
  const first = openCursor(firstListOf(run.path))
  const before = openCursor(firstListOf(run.path))
  const list = await writeList(objectListOf(run.path))
  const incomplete: string[] = []
  Object.assign(run.count, { videos: 0, objects: 0, bytes: 0 })
  try {
    for await (const video of readVideosWithMedia(openEm)) {
      const { objects } = await copyVideoObjects(video.id, {
        ...run,
        pool: run.folder.pool,
        earlier: [first],
      })
      const removed = removedSince(video, await before.take(video.id), objects)
      const all = [...objects, ...removed]
      run.count.objects += removed.length
      run.count.bytes += removed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
      const keys = new Set(all.map(({ key }) => key))
      if (incompleteRenditions(video, (key) => keys.has(key)).length > 0) incomplete.push(video.id)
      await list.add({ videoId: video.id, objects: all })
    }
  } finally {
    await list.end()
    for (const cursor of [first, before]) await cursor.close()
  }
  return incomplete
}

/**
 * The objects that the first copy has and the storage has no longer. An ingest that ended meanwhile has removed its
 * source, which the snapshot of a running ingest needs; a finished video needs none.
 */
function removedSince(
  { status }: VideoWithMedia,
  before: ListedContent[],
  now: ListedContent[],
): ListedContent[] {
  const keys = new Set(now.map(({ key }) => key))
  const isEnded = status === 'ready' || status === 'failed'
  return before.filter(({ key }) => !keys.has(key) && !(isEnded && key.startsWith('sources/')))
}

/** Returns a function that writes a line every few seconds. */
const progressOf = ({ note, count }: Run) =>
  throttled(() =>
    note(
      `${count.videos} videos, ${count.objects} objects; ${count.newObjects} new (${formatBytes(count.newBytes)}) …`,
    ),
  )
