import { Context } from '@temporalio/activity'
import { nicenessOf } from '../../domain/ingest/ingest-priority.ts'
import { BEAT_EVERY_MS, STALL_MS, type ActivityProgress } from '../../domain/ingest/ingest.ts'
import type { MediaWork } from '../../media/run-tool.ts'
import type { ActivityDeps } from '../deps.ts'
import {
  createProgressRecorder,
  type ProgressRecorder,
  type RecordedSteps,
} from './record-progress.ts'

/** Reports progress of the running activity; `change` holds the changed fields. */
export type Report = (change?: Partial<ActivityProgress>) => void

/** The minimum time between two heartbeats; some steps make progress thousands of times per second. */
const BEAT_AT_MOST_EVERY_MS = 250

interface Reports {
  timer: NodeJS.Timeout
  recorder: ProgressRecorder | undefined
}

const running = new WeakMap<Context, Reports>()

interface ReportOptions {
  stallMs?: number
  beatEveryMs?: number
  /** Receives the fraction with each heartbeat. */
  recorder?: ProgressRecorder
}

/**
 * Sends the first heartbeat of an activity and returns a function that reports its progress. Heartbeats
 * mean that the worker is alive and that the step has made progress within `stallMs`. They continue as long
 * as that holds and end with the activity (`ingestStep`), so a step that hangs sends none (ADR 0018).
 */
export function reportProgress(
  first: ActivityProgress,
  { stallMs = STALL_MS, beatEveryMs = BEAT_EVERY_MS, recorder }: ReportOptions = {},
): Report {
  const context = Context.current()
  const progress = { ...first, toolFailures: toolFailuresSoFar(context) }
  let beatAtMs = -Infinity
  let progressAtMs = 0
  const beat = (): void => {
    beatAtMs = performance.now()
    context.heartbeat({ ...progress })
    recorder?.record(progress.fraction)
  }
  const report: Report = (change) => {
    Object.assign(progress, change)
    progressAtMs = performance.now()
    if (progressAtMs - beatAtMs >= BEAT_AT_MOST_EVERY_MS) beat()
  }
  report()
  const timer = setInterval(() => {
    if (performance.now() - progressAtMs < stallMs) beat()
  }, beatEveryMs)
  running.set(context, { timer: timer.unref(), recorder })
  return report
}

/** The same for steps of a video; their progress is also recorded, for API and dashboard. */
export const reportVideoProgress = (
  deps: Pick<ActivityDeps, 'db' | 'logger'>,
  steps: RecordedSteps,
  first: ActivityProgress,
): Report => reportProgress(first, { recorder: createProgressRecorder(deps, steps) })

/**
 * Ends the heartbeats of an activity that has ended; `isDone` if it has succeeded. Resolves when its last progress is
 * written; never rejects.
 */
export async function endReports(context: Context, isDone = false): Promise<void> {
  const reports = running.get(context)
  clearInterval(reports?.timer)
  await reports?.recorder?.settled(isDone)
}

/** How often a tool has failed in earlier attempts of the activity; each heartbeat carries the number. */
export function toolFailuresSoFar({ info }: Context): number {
  const details: ActivityProgress | undefined = info.heartbeatDetails
  return details?.toolFailures ?? 0
}

/** The common options of the steps on a file, which report their progress. */
export const reportedWork = ({ stallMs }: Pick<ActivityDeps, 'stallMs'>, report: Report) =>
  ({
    signal: Context.current().cancellationSignal,
    stallMs,
    niceness: nicenessOf(Context.current().info.priority?.priorityKey),
    onProgress: (fraction) => report(fraction === undefined ? {} : { fraction }),
  }) satisfies MediaWork
