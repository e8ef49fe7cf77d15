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
import { readSystemError } from '../processes/system-error.ts'

/** Space for the database cluster, its write-ahead log, Temporal's store and a first video. */
const FIRST_START_BYTES = 100 * 1024 ** 2
const PROBE_BYTES = 64 * 1024
const ELSEWHERE = 'choose another folder with --data-dir'

/**
 * Creates the data folder unless it exists. Throws an error with one line of advice if the folder
 * cannot be written, or if its disk is too full for the database of a first start (`needsDatabase`).
 */
export function prepareDataFolder(dataDir: string, { needsDatabase }: { needsDatabase: boolean }) {
  const probe = join(dataDir, '.write-test')
  try {
    // On a read-only file system, a recursive mkdir fails with a misleading ENOENT.
    accessSync(nearestExisting(dataDir), constants.W_OK)
    mkdirSync(dataDir, { recursive: true })
    try {
      writeFileSync(probe, Buffer.alloc(PROBE_BYTES))
    } finally {
      rmSync(probe, { force: true })
    }
  } catch (error) {
    throw new Error(explain(dataDir, error), { cause: error })
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

type Advice = (dataDir: string) => string
const full: Advice = (dir) => `No space is left on the disk of ${dir}: free some space, or`
const forbidden: Advice = (dir) => `This user may not write to ${dir}: change its permissions, or`
const noFolder: Advice = (dir) => `${dir} is not a folder:`

const ADVICE: Record<string, Advice> = {
  ENOSPC: full,
  EDQUOT: full,
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: (dir) => `${dir} is on a read-only file system: make it writable, or`,
  ENOTDIR: noFolder,
  EEXIST: noFolder,
}

function explain(dataDir: string, error: unknown): string {
  const { code, message } = readSystemError(error)
  const advice = ADVICE[code]?.(dataDir) ?? `${dataDir} cannot be used (${message}):`
  return `${advice} ${ELSEWHERE}.`
}
