import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  claimWorkerFolder,
  sweepWorkerFolders,
  type WorkerFolder,
} from '../../activities/scratch/worker-folder.ts'

const MEMORY = '/dev/shm'
/** A whole run stores 0.3 GB there at the same time. */
const NEEDED_BYTES = 4 * 1024 ** 3

/**
 * Makes a folder for what the services of a test run store, in memory if it has room: a database for each test file is
 * thousands of small files. Removes those of killed runs, which would stay in memory until the machine restarts.
 */
export async function makeMemoryFolder(): Promise<WorkerFolder> {
  const parent = join(hasRoom() ? MEMORY : tmpdir(), `reelgate-test-${process.getuid?.() ?? ''}`)
  await sweepWorkerFolders(parent)
  return claimWorkerFolder(parent)
}

function hasRoom(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= NEEDED_BYTES
  } catch {
    return false
  }
}
