import { putProgress, putWaitingSteps } from '../db/ingest-progress.ts'
import type { ActivityDeps } from './deps.ts'

/** The minimum time between two writes of one step; heartbeats come more often. */
const WRITE_AT_MOST_EVERY_MS = 2_000

type RecordDeps = Pick<ActivityDeps, 'db' | 'logger'>

/** Records how far a step is, from 0 to 1, or null if the total is not known. */
export type RecordProgress = (fraction: number | null) => void

/**
 * Returns a function that writes the progress of a step for the dashboard. The step neither waits for a write
 * nor fails with it, and while one is running or was made within two seconds, others are left out.
 */
export function createProgressRecorder(
  deps: RecordDeps,
  videoId: string,
  name: string,
): RecordProgress {
  let isWriting = false
  let writtenAtMs = -Infinity
  return (fraction) => {
    if (isWriting || performance.now() - writtenAtMs < WRITE_AT_MOST_EVERY_MS) return
    isWriting = true
    writtenAtMs = performance.now()
    const written = inBackground(deps, () =>
      putProgress(deps.db.em.fork(), { videoId, name, fraction }),
    )
    void written.finally(() => (isWriting = false))
  }
}

/** Records that the renditions wait for their turn; the caller does not wait for it. */
export const recordWaiting = (deps: RecordDeps, videoId: string, names: string[]): void =>
  void inBackground(deps, () => putWaitingSteps(deps.db.em.fork(), videoId, names))

/** Never rejects: progress is worth no retry, because the next heartbeat writes it again. */
async function inBackground({ logger }: RecordDeps, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    logger.debug({ err: error }, 'the progress of a step was not recorded')
  }
}
