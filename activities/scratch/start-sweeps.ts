import { setTimeout as sleep } from 'node:timers/promises'
import type { ActivityDeps } from '../deps.ts'
import { failRunning } from './running-activities.ts'
import { sweepScratch } from './work-folder.ts'
import { sweepWorkerFolders } from './worker-folder.ts'

/** How long after the end of a worker another one that shares its scratch space has its activities repeated, at most. */
const ENDED_WORKERS_EVERY_MS = 5_000
const ENDED_VIDEOS_EVERY_MS = 10 * 60_000

/**
 * Sweeps the scratch space of this machine now and regularly: has the activities of workers that have ended repeated, and removes what
 * these workers and ended videos left. Returns a function that ends it.
 */
export function startSweeps(deps: ActivityDeps): () => void {
  const ending = new AbortController()
  const repeat = async (sweep: () => Promise<unknown>, everyMs: number): Promise<void> => {
    while (!ending.signal.aborted) {
      await sweep().catch((error: unknown) => deps.logger.warn({ err: error }, 'scratch sweep'))
      await sleep(everyMs, undefined, { signal: ending.signal }).catch(() => {})
    }
  }
  const sweepWorkers = () => sweepWorkerFolders(deps.workDir, (path) => failRunning(deps, path))
  void repeat(sweepWorkers, ENDED_WORKERS_EVERY_MS)
  void repeat(() => sweepScratch(deps), ENDED_VIDEOS_EVERY_MS)
  return () => ending.abort()
}
