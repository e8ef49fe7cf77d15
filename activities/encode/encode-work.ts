import { NICENESS } from '../../domain/ingest/ingest-priority.ts'
import type { MediaWork } from '../../media/run-tool.ts'
import { encodedSeconds, encoderSeconds } from '../../metrics/ingest.ts'
import type { ActivityDeps } from '../deps.ts'
import type { RecordedSteps } from '../ingest/record-progress.ts'
import { reportedWork, reportVideoProgress } from '../ingest/report-progress.ts'
import { openWorkFolder, type WorkFolder } from '../scratch/work-folder.ts'

/** What an activity works with. */
export interface OpenWork {
  folder: WorkFolder
  work: MediaWork
}

/** Begins the heartbeats, and opens the work folder. */
export async function openWork(deps: ActivityDeps, steps: RecordedSteps): Promise<OpenWork> {
  const first = { renditions: steps.names, fraction: 0 }
  const work = reportedWork(deps, reportVideoProgress(deps, steps, first))
  const isLater = (steps.part?.index ?? 0) > 0
  const niceness = Math.max(work.niceness, isLater ? NICENESS.first : NICENESS.beginning)
  const folder = await openWorkFolder(deps, steps.videoId)
  return { folder, work: { ...work, niceness } }
}

interface Measured<Encoded> {
  kind: 'video' | 'audio'
  mediaSecondsOf: (encoded: Encoded) => number
}

/** Measures an encode that succeeds: how long it took, and how much video it made. */
export async function timed<Encoded>(
  encoding: Promise<Encoded>,
  { kind, mediaSecondsOf }: Measured<Encoded>,
): Promise<Encoded> {
  const startedAtMs = performance.now()
  const encoded = await encoding
  encoderSeconds.inc({ kind }, (performance.now() - startedAtMs) / 1000)
  encodedSeconds.inc({ kind }, mediaSecondsOf(encoded))
  return encoded
}
