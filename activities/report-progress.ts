import { Context } from '@temporalio/activity'
import type { ActivityProgress } from '../domain/ingest.ts'
import type { MediaWork } from '../media/run-tool.ts'
import type { ActivityDeps } from './deps.ts'

/** Reports progress of the running activity, with what has changed of it. */
export type Report = (change?: Partial<ActivityProgress>) => void

/** Between two heartbeats; some steps make progress thousands of times a second. */
const BEAT_EVERY_MS = 250

/**
 * Sends the first heartbeat of an activity, and returns what sends the others. A heartbeat says that there
 * was progress, so nothing sends one by the clock (ADR 0018).
 */
export function reportProgress(first: ActivityProgress): Report {
  const context = Context.current()
  const progress = { ...first, toolFailures: toolFailuresSoFar(context) }
  let sentAtMs = -Infinity
  const report: Report = (change) => {
    Object.assign(progress, change)
    const nowMs = performance.now()
    if (nowMs - sentAtMs < BEAT_EVERY_MS) return
    sentAtMs = nowMs
    context.heartbeat({ ...progress })
  }
  report()
  return report
}

/** How often a tool has failed in earlier attempts of the activity: each heartbeat hands it on. */
export const toolFailuresSoFar = ({ info }: Context): number =>
  (info.heartbeatDetails as ActivityProgress | undefined)?.toolFailures ?? 0

/** What the steps on a file are given, such that each sign of their progress is reported. */
export const reportedWork = ({ stallMs }: Pick<ActivityDeps, 'stallMs'>, report: Report) =>
  ({
    signal: Context.current().cancellationSignal,
    stallMs,
    onProgress: (fraction) => report(fraction === undefined ? {} : { fraction }),
  }) satisfies MediaWork
