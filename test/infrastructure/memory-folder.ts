import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning } from './processes.ts'

const MEMORY = '/dev/shm'
/** What a whole run stores there at the same time is less than a quarter of this. */
const NEEDED_BYTES = 4 * 1024 ** 3
const PREFIX = 'reelgate-test-'

/**
 * Makes an empty folder for what the services of a test run store, in memory if it has room: a database for each test file
 * is thousands of small files, and the disk takes a sixth of the processor time of the tests.
 */
export function makeMemoryFolder(): string {
  const parent = hasRoom() ? MEMORY : tmpdir()
  removeAbandoned(parent)
  return mkdtempSync(join(parent, `${PREFIX}${process.pid}-`))
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

/** Removes the folders of processes that were killed: in memory they would stay until the machine restarts. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(parent, name), { recursive: true, force: true })
  }
}
