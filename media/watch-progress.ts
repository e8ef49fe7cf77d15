import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { STALL_MS } from '../domain/ingest/ingest.ts'

const CHECK_MS = 1_000

interface WatchOptions {
  onProgress?: (() => void) | undefined
  stallMs?: number | undefined
  /** A folder whose growth counts as progress. */
  outputDir?: string
}

interface ProgressWatch {
  onProgress: () => void
  hasStalled: () => boolean
  end: () => void
}

/** Calls `kill` when a tool has shown no progress for `stallMs`. */
export function watchProgress(
  { onProgress, stallMs = STALL_MS, outputDir }: WatchOptions,
  kill: () => void,
): ProgressWatch {
  let stalled = false
  const timer = setTimeout(() => {
    stalled = true
    kill()
  }, stallMs)
  const progressed = (): void => {
    if (stalled) return
    timer.refresh()
    onProgress?.()
  }
  const stopWatching = outputDir === undefined ? () => {} : watchFolder(outputDir, progressed)
  return {
    onProgress: progressed,
    hasStalled: () => stalled,
    end() {
      clearTimeout(timer)
      stopWatching()
    },
  }
}

/** Calls `onGrown` when the files of the folder have more bytes than at the last check. */
function watchFolder(folder: string, onGrown: () => void): () => void {
  let known = 0
  const check = async (): Promise<void> => {
    const bytes = await bytesIn(folder).catch(() => known)
    if (bytes > known) onGrown()
    known = Math.max(known, bytes)
  }
  const timer = setInterval(() => void check(), CHECK_MS)
  return () => clearInterval(timer)
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder)
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
