import { CancellationScope, proxyActivities } from '@temporalio/workflow'
import type { EncodeActivities } from '../activities/encode-activities.ts'
import type { EncodingPlan } from '../activities/prepare-encoding.ts'
import type { Rung } from '../domain/ladder.ts'
import type { IngestProgress, RungStage } from '../domain/ingest.ts'
import { TASK_QUEUES } from '../temporal/task-queues.ts'
import type { IngestVideoInput } from './ingest-video.ts'

/** Before the later rungs of other videos: what makes a video playable. */
const FIRST = 2
const LATER = 4

const { encodeRung, encodeAudio } = proxyActivities<EncodeActivities>({
  taskQueue: TASK_QUEUES.encode,
  startToCloseTimeout: '48 hours',
  heartbeatTimeout: '20 seconds',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute', maximumAttempts: 20 },
})

/**
 * Publishes every rendition, a rendition an activity. All are asked for at once; the audio tracks and
 * the lowest useful rung, which make the video playable, come first on every machine, and the other
 * rungs use what those leave of it. Where one fails for good, the others are cancelled and have
 * ended before this throws.
 */
export async function encodeLadder(
  input: IngestVideoInput,
  plan: EncodingPlan,
  progress: IngestProgress,
  onPlayable: () => void,
): Promise<void> {
  progress.renditions = [...plan.audio, ...plan.rungs].map(({ name }) => ({
    name,
    stage: 'waiting',
  }))
  const audioNames = plan.audio.map(({ name }) => name)
  const shared = { ...input, facts: plan.facts, audioNames }
  const [firstRung, ...laterRungs] = plan.rungs
  if (!firstRung) throw new Error('a ladder has at least one rung')

  const audio = plan.audio.map(
    (track) => () =>
      encodeAudio.executeWithOptions(options(input, track.name, FIRST), [{ ...shared, track }]),
  )
  const rung = (rung: Rung, priority: number) => () =>
    encodeRung.executeWithOptions(options(input, rung.name, priority), [
      { ...shared, rung, isFirst: rung === firstRung },
    ])
  const publish = tracked(progress, [...plan.audio, firstRung, ...laterRungs])
  const first = [...audio, rung(firstRung, FIRST)].map((work, at) => publish(work, at))
  const later = laterRungs
    .map((one) => rung(one, LATER))
    .map((work, at) => publish(work, at + first.length))
  await allOrNone([...lastOf(first, later.length > 0 ? onPlayable : () => {}), ...later])
}

/** Calls `onDone` once all of the works have been done. */
function lastOf(works: Work[], onDone: () => void): Work[] {
  let left = works.length
  return works.map((work) => async () => {
    await work()
    left -= 1
    if (left === 0) onDone()
  })
}

const options = (input: IngestVideoInput, what: string, priorityKey: number) => ({
  summary: `Encode ${what}`,
  priority: { priorityKey, fairnessKey: String(input.accountId) },
})

type Work = () => Promise<void>

/** Wraps the work on rendition number `at` so that the progress query shows where it is. */
function tracked(progress: IngestProgress, renditions: { name: string }[]) {
  const set = (at: number, stage: RungStage): void => {
    const entry = progress.renditions.find(({ name }) => name === renditions[at]?.name)
    if (entry) entry.stage = stage
  }
  return (work: Work, at: number): Work =>
    async () => {
      set(at, 'encoding')
      await work()
      set(at, 'published')
    }
}

async function allOrNone(works: Work[]): Promise<void> {
  const scope = new CancellationScope()
  const running = works.map((work) => scope.run(work))
  try {
    await Promise.all(running)
  } catch (error) {
    scope.cancel()
    await Promise.allSettled(running)
    throw error
  }
}
