import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** At least the number of threads in libuv's pool, which is four unless UV_THREADPOOL_SIZE is set. */
const THREADS_MAX = 8

/** All threads of libuv's pool, which also makes the system's lookups. */
export interface OccupiedThreadPool {
  /** Frees the threads. Must be called, because the process cannot end before. */
  release(): Promise<void>
}

/**
 * Occupies every thread of the pool of this process until `release`, on a machine of any speed: to open a
 * named pipe for reading blocks a thread until the pipe is opened for writing.
 */
export function occupyThreadPool(): OccupiedThreadPool {
  const folder = mkdtempSync(join(tmpdir(), 'reelgate-threads-'))
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const readers = Array.from({ length: THREADS_MAX }, () => open(pipe, 'r'))
  return {
    async release() {
      // Opening for reading and writing does not block.
      const writer = openSync(pipe, 'r+')
      for (const reader of await Promise.all(readers)) await reader.close()
      closeSync(writer)
      rmSync(folder, { recursive: true })
    },
  }
}
