import { putProgress, putWaitingSteps } from '../db/ingest-progress.ts'
import type { ActivityDeps } from './deps.ts'

/** The minimum time between two writes of one step; heartbeats come more often. */
const WRITE_AT_MOST_EVERY_MS = 2_000

type RecordDeps = Pick<ActivityDeps, 'db' | 'logger'>

/** Writes the progress of a step for the dashboard. */
export interface ProgressRecorder {
  /**
   * Records how far the step is, from 0 to 1, or null if the total is not known. The step neither waits for the
   * write nor fails with it. While one is running or was made within two seconds, others are left out.
   */
  record: (fraction: number | null) => void
  /** Resolves when no write is running, so that none outlives its step. */
  settled: () => Promise<void>
}

/** Steps that an activity does together, and its part of them. */
export interface RecordedSteps {
  videoId: string
  names: string[]
  /** The part of each step that the activity does, from 0; absent if it does all of it. */
  part?: { index: number; count: number }
}

export function createProgressRecorder(
  deps: RecordDeps,
  { videoId, names, part = { index: 0, count: 1 } }: RecordedSteps,
): ProgressRecorder {
  let writing: Promise<void> | null = null
  let writtenAtMs = -Infinity
  return {
    record(fraction) {
      if (writing || performance.now() - writtenAtMs < WRITE_AT_MOST_EVERY_MS) return
      writtenAtMs = performance.now()
      // Other machines do the parts before this one at the same time, so this is an estimate.
      const whole = fraction === null ? null : (part.index + fraction) / part.count
      const write = async (): Promise<void> => {
        const em = deps.db.em.fork()
        for (const name of names) await putProgress(em, { videoId, name, fraction: whole })
      }
      writing = withoutFailure(deps, write).finally(() => (writing = null))
    },
    settled: async () => void (await writing),
  }
}

/** Records that the renditions wait for their turn. Never rejects. */
export const recordWaiting = (deps: RecordDeps, videoId: string, names: string[]): Promise<void> =>
  withoutFailure(deps, () => putWaitingSteps(deps.db.em.fork(), videoId, names))

/** Never rejects: progress is worth no retry, because the next heartbeat writes it again. */
async function withoutFailure({ logger }: RecordDeps, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    logger.debug({ err: error }, 'the progress of a step was not recorded')
  }
}
