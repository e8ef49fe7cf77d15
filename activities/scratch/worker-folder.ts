import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** The folder under `WORK_DIR` with a folder for each running worker. */
const WORKERS = 'workers'
const LOCK = 'lock'
/** The end of the name of a folder whose lock is not taken yet. */
const NEW = '.new'
/** After this time the worker that made such a folder was killed before it took the lock. */
const NEW_KEPT_MS = 3_600_000

/** The locks of this process. One that is not referenced is collected, and with it its lock. */
const held = new Set<DatabaseSync>()

/** The folder of one worker process, for the files of its running activities. */
export interface WorkerFolder {
  path: string
  /** Removes the folder when the worker stops. */
  release(): Promise<void>
}

/**
 * Makes the folder of this process under `workDir` and locks it until the process ends, even by `kill -9`. The lock
 * is that of an SQLite file, which Node has on every system and which the kernel releases. It holds between containers that
 * share a volume, where pids mean nothing. Throws where the file system has no locks.
 */
export async function claimWorkerFolder(workDir: string): Promise<WorkerFolder> {
  const path = join(workDir, WORKERS, crypto.randomUUID())
  await mkdir(path + NEW, { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(join(path + NEW, LOCK))
  lock.exec('pragma journal_mode = memory; begin exclusive')
  held.add(lock)
  await rename(path + NEW, path)
  return {
    path,
    async release() {
      lock.close()
      held.delete(lock)
      await rm(path, { recursive: true, force: true })
    },
  }
}

/**
 * Removes the folders of workers that have ended, each after `beforeRemoval`. Returns how many it removed. Safe for several workers at the
 * same time.
 */
export async function sweepWorkerFolders(
  workDir: string,
  beforeRemoval: (path: string) => Promise<unknown> = async () => undefined,
): Promise<number> {
  const root = join(workDir, WORKERS)
  const names = await readdir(root).catch(() => [])
  let removed = 0
  for (const name of names) {
    const path = join(root, name)
    if ((await isBeingMade(path)) || isLocked(join(path, LOCK))) continue
    await beforeRemoval(path)
    await rm(path, { recursive: true, force: true })
    removed += 1
  }
  return removed
}

async function isBeingMade(path: string): Promise<boolean> {
  if (!path.endsWith(NEW)) return false
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
  return Date.now() - mtimeMs < NEW_KEPT_MS
}

/**
 * Also true if the lock cannot be read: only what is known to have no owner is removed. An owner has its lock from the
 * start, and another sweep removes it early. It is not made here: the other sweep could not remove the folder.
 */
function isLocked(path: string): boolean {
  if (!existsSync(path)) return false
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(existing(path), { timeout: 0 })
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return false
  } catch {
    return true
  } finally {
    lock?.close()
  }
}

/** By default, SQLite makes a file that is missing. */
function existing(path: string): URL {
  const url = pathToFileURL(path)
  url.searchParams.set('mode', 'rw')
  return url
}
