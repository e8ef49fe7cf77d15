import { proxyActivities } from '@temporalio/workflow'
import type { createEncodeActivities } from '../activities/encode/encode-activities.ts'
import type { Rung } from '../domain/encoding/ladder.ts'
import {
  HEARTBEAT_TIMEOUT_MS,
  INTERNAL_ERROR_RETRY,
  type AudioTrack,
  type EncodingPlan,
  type IngestProgress,
  type IngestVideoInput,
  type RungStage,
} from '../domain/ingest/ingest.ts'
import { TASK_QUEUES } from '../temporal/names.ts'
import { allOrNone, callAfterLast, type Work } from './all-or-none.ts'
import { showIngest } from './show-ingest.ts'

/** The renditions that make a video playable run before the later rungs of other videos. */
const FIRST_PRIORITY = 2
const LATER_PRIORITY = 4

const { encodeRung, encodeAudio } = proxyActivities<ReturnType<typeof createEncodeActivities>>({
  taskQueue: TASK_QUEUES.encode,
  startToCloseTimeout: '48 hours',
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  ...INTERNAL_ERROR_RETRY,
})

/**
 * Publishes every rendition, each by one activity: the ladder of an ingest whose plan was made before videos
 * were cut into chunks (ADR 0031). The audio tracks and the lowest useful rung have priority. If one
 * fails permanently, cancels the others and throws once they have ended.
 */
export async function encodeWholeRungs(
  input: IngestVideoInput,
  plan: EncodingPlan,
  progress: IngestProgress,
  onPlayable: () => void,
): Promise<void> {
  const [firstRung, ...laterRungs] = plan.rungs
  if (!firstRung) throw new Error('a ladder has at least one rung')
  progress.renditions = [...plan.audio, ...plan.rungs].map(({ name }) => ({
    name,
    stage: 'waiting',
  }))
  const tracked = trackerOf(progress)
  const first = [
    ...plan.audio.map((track) => audioTask(input, plan, track)),
    rungTask(input, plan, firstRung),
  ].map(tracked)
  const later = laterRungs.map((rung) => tracked(rungTask(input, plan, rung)))
  const onFirstDone = later.length > 0 ? onPlayable : () => {}
  await allOrNone([...callAfterLast(first, onFirstDone), ...later])
}

/** The encode of one rendition. */
interface EncodeTask {
  name: string
  run: Work
}

const audioTask = (input: IngestVideoInput, plan: EncodingPlan, track: AudioTrack): EncodeTask => ({
  name: track.name,
  run: () =>
    encodeAudio.executeWithOptions(optionsOf(input, track.name, FIRST_PRIORITY), [
      { ...input, facts: plan.facts, audioNames: trackNames(plan.audio), track },
    ]),
})

function rungTask(input: IngestVideoInput, plan: EncodingPlan, rung: Rung): EncodeTask {
  const isFirst = rung === plan.rungs[0]
  const options = optionsOf(input, rung.name, isFirst ? FIRST_PRIORITY : LATER_PRIORITY)
  const args = { ...input, facts: plan.facts, audioNames: trackNames(plan.audio), rung, isFirst }
  return { name: rung.name, run: () => encodeRung.executeWithOptions(options, [args]) }
}

const trackNames = (tracks: AudioTrack[]): string[] => tracks.map(({ name }) => name)

const optionsOf = (input: IngestVideoInput, name: string, priorityKey: number) => ({
  summary: `Encode ${name}`,
  priority: { priorityKey, fairnessKey: String(input.accountId) },
})

/** Returns a function that wraps a task so that the progress query shows its stage. */
function trackerOf(progress: IngestProgress) {
  const set = (name: string, stage: RungStage): void => {
    const entry = progress.renditions.find((one) => one.name === name)
    if (entry) entry.stage = stage
    showIngest(progress)
  }
  return ({ name, run }: EncodeTask): Work =>
    async () => {
      set(name, 'encoding')
      await run()
      set(name, 'published')
    }
}
