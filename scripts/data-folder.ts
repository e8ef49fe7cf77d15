import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** A fresh database cluster, its write-ahead log and Temporal's store, with room for a first video. */
const FIRST_START_BYTES = 100 * 1024 ** 2
const PROBE_BYTES = 64 * 1024
const ELSEWHERE = 'choose another folder with --data-dir'

/**
 * Makes the data folder unless it is there. Throws an error that says what to do, in one line, when
 * it cannot be written, and when its disk is too full for the database that a first start makes
 * (`needsDatabase`).
 */
export function prepareDataFolder(dataDir: string, { needsDatabase }: { needsDatabase: boolean }) {
  const probe = join(dataDir, '.write-test')
  try {
    // A recursive mkdir says ENOENT for a read-only file system.
    accessSync(nearestExisting(dataDir), constants.W_OK)
    mkdirSync(dataDir, { recursive: true })
    try {
      writeFileSync(probe, Buffer.alloc(PROBE_BYTES))
    } finally {
      rmSync(probe, { force: true })
    }
  } catch (error) {
    throw new Error(explain(dataDir, error as NodeJS.ErrnoException), { cause: error })
  }
  if (!needsDatabase || existsSync(join(dataDir, 'postgres'))) return
  const { bavail, bsize } = statfsSync(dataDir)
  const freeBytes = bavail * bsize
  if (freeBytes >= FIRST_START_BYTES) return
  const [free, needed] = [freeBytes, FIRST_START_BYTES].map((bytes) =>
    Math.floor(bytes / 1024 ** 2),
  )
  throw new Error(
    `The disk of ${dataDir} has ${free} MiB free, and the first start needs ${needed} MiB: free some space, or ${ELSEWHERE}.`,
  )
}

const nearestExisting = (path: string): string =>
  existsSync(path) ? path : nearestExisting(dirname(path))

function explain(dataDir: string, { code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `No space is left on the disk of ${dataDir}: free some space, or ${ELSEWHERE}.`
    case 'EROFS':
      return `${dataDir} is on a read-only file system: make it writable, or ${ELSEWHERE}.`
    case 'EACCES':
    case 'EPERM':
      return `This user may not write to ${dataDir}: change its permissions, or ${ELSEWHERE}.`
    case 'ENOTDIR':
    case 'EEXIST':
      return `${dataDir} is not a folder: ${ELSEWHERE}.`
    default:
      return `${dataDir} cannot be used (${message}): ${ELSEWHERE}.`
  }
}
