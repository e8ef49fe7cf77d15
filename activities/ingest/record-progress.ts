import {
  deleteSteps,
  putProgress,
  putWaitingSteps,
  type ReportedProgress,
} from '../../db/ingest/write-ingest-progress.ts'
import type { ActivityDeps } from '../deps.ts'

/**
 * The minimum time between two writes of one activity, so that a page that asks every two seconds sees a change. With the interval of
 * heartbeats, which are the last to stop, it must be less than the silence after which the player says that a part waits for another
 * worker (`domain/videos/preparation.ts`).
 */
const WRITE_AT_MOST_EVERY_MS = 1_000

type RecordDeps = Pick<ActivityDeps, 'db' | 'logger'>

/** The steps that an activity does together, and its part of them. */
export type RecordedSteps = Pick<ReportedProgress, 'videoId' | 'names' | 'part'>

/** Writes the progress of steps for those who wait for the video. */
export interface ProgressRecorder {
  /**
   * Records how far the activity is, from 0 to 1, or null if the total is not known. The activity neither waits for the
   * write nor fails with it. While one is running or was made within a second, others are left out.
   */
  record: (fraction: number | null) => void
  /**
   * Resolves when no write is running, so that none outlives its activity. With `isDone`, a part of a step is
   * recorded as complete before that.
   */
  settled: (isDone: boolean) => Promise<void>
}

export function createProgressRecorder(deps: RecordDeps, steps: RecordedSteps): ProgressRecorder {
  let writing: Promise<void> | null = null
  let writtenAtMs = -Infinity
  const write = (fraction: number | null): Promise<void> =>
    withoutFailure(deps, () => putProgress(deps.db.em.fork(), { ...steps, fraction }))
  return {
    record(fraction) {
      if (writing || performance.now() - writtenAtMs < WRITE_AT_MOST_EVERY_MS) return
      writtenAtMs = performance.now()
      writing = write(fraction).finally(() => (writing = null))
    },
    async settled(isDone) {
      await writing
      if (isDone && steps.part) await write(1)
    },
  }
}

/** Records that the renditions wait for their turn. Never rejects. */
export const recordWaiting = (deps: RecordDeps, videoId: string, names: string[]): Promise<void> =>
  withoutFailure(deps, () => putWaitingSteps(deps.db.em.fork(), videoId, names))

/** Forgets the progress of renditions that are not made. */
export const forgetSteps = (
  { db }: Pick<RecordDeps, 'db'>,
  videoId: string,
  names: string[],
): Promise<void> => deleteSteps(db.em.fork(), videoId, names)

/** Never rejects: progress is worth no retry, because the next heartbeat writes it again. */
async function withoutFailure({ logger }: RecordDeps, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    logger.debug({ err: error }, 'the progress of a step was not recorded')
  }
}
