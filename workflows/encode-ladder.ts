import { CancellationScope, proxyActivities } from '@temporalio/workflow'
import type { EncodeActivities } from '../activities/encode-activities.ts'
import type { AudioTrack, EncodingPlan } from '../activities/prepare-encoding.ts'
import type { Rung } from '../domain/ladder.ts'
import { HEARTBEAT_TIMEOUT_MS } from '../domain/ingest.ts'
import type { IngestProgress, IngestVideoInput, RungStage } from '../domain/ingest.ts'
import { TASK_QUEUES } from '../temporal/task-queues.ts'
import { OUR_FAULTS } from './our-faults.ts'

/** Before the later rungs of other videos: what makes a video playable. */
const FIRST = 2
const LATER = 4

const { encodeRung, encodeAudio } = proxyActivities<EncodeActivities>({
  taskQueue: TASK_QUEUES.encode,
  startToCloseTimeout: '48 hours',
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  ...OUR_FAULTS,
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

  const sound = (track: AudioTrack): Rendering => ({
    name: track.name,
    run: () =>
      encodeAudio.executeWithOptions(options(input, track.name, FIRST), [{ ...shared, track }]),
  })
  const picture = (rung: Rung): Rendering => {
    const isFirst = rung === firstRung
    const args = { ...shared, rung, isFirst }
    const how = options(input, rung.name, isFirst ? FIRST : LATER)
    return { name: rung.name, run: () => encodeRung.executeWithOptions(how, [args]) }
  }
  const tracked = trackerOf(progress)
  const first = [...plan.audio.map(sound), picture(firstRung)].map(tracked)
  const later = laterRungs.map(picture).map(tracked)
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

/** One rendition to be made. */
interface Rendering {
  name: string
  run: Work
}

/** Wraps the work on a rendition so that the progress query shows where it is. */
function trackerOf(progress: IngestProgress) {
  const set = (name: string, stage: RungStage): void => {
    const entry = progress.renditions.find((one) => one.name === name)
    if (entry) entry.stage = stage
  }
  return ({ name, run }: Rendering): Work =>
    async () => {
      set(name, 'encoding')
      await run()
      set(name, 'published')
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
