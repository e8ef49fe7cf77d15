import { Context } from '@temporalio/activity'
import type { ActivityProgress } from '../domain/ingest.ts'

/** Well under the heartbeat timeout; a packager or an upload has no progress of its own to report. */
const BEAT_MS = 2_000

/**
 * Runs an encode with heartbeats: the encoder's own progress as it comes, and the last known one
 * while other steps run, so that only a dead worker misses its heartbeats.
 */
export async function reportingProgress(
  rendition: string,
  work: (onProgress: (fraction: number) => void) => Promise<void>,
): Promise<void> {
  const context = Context.current()
  const progress: ActivityProgress = { rendition, fraction: 0 }
  const beat = (): void => context.heartbeat({ ...progress })
  beat()
  const timer = setInterval(beat, BEAT_MS)
  try {
    await work((fraction) => {
      progress.fraction = fraction
      beat()
    })
  } finally {
    clearInterval(timer)
  }
}
