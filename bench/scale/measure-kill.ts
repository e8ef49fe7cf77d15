import { videoWorkflowId } from '../../domain/workflow-ids.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { asInformation, atMost, type Figure } from '../figure.ts'
import { isChunkEncode, readEncodes } from './encode-history.ts'
import type { EncodeWorker } from './encode-worker.ts'
import { submit, untilReady } from './follow-video.ts'
import type { ScaleFixture } from './scale-fixture.ts'

const NEXT_ATTEMPT_MAX_SECONDS = 25
const ENCODING_MAX_MS = 10 * 60_000

/**
 * Kills one of the workers when no encode waits for a slot, starts another in its place, and counts what is
 * encoded again. With encodes in the queue, the next attempt would wait for its turn behind them.
 */
export async function measureKill(
  fixture: ScaleFixture,
  video: string,
  workers: EncodeWorker[],
): Promise<Figure[]> {
  const videoId = await submit(fixture, video)
  const running = await waitFor(
    'the last encodes',
    () => lastEncodes(fixture, videoId),
    ENCODING_MAX_MS,
  )
  const victim = workers.find(({ pid }) => running.at(-1)?.startsWith(`${pid}@`))
  if (!victim) throw new Error(`no worker is called ${running.at(-1)}`)
  const killedAtMs = Date.now()
  await victim.kill()
  await fixture.startWorker(victim.core)
  await untilReady(fixture, videoId)
  const { encodes } = await readEncodes(fixture.temporal, videoId)
  const again = encodes.filter(({ attempt }) => attempt > 1)
  if (again.length === 0) throw new Error('the kill interrupted nothing')
  const killed = running.filter((worker) => worker.startsWith(`${victim.pid}@`))
  const nextMs = Math.max(...again.map(({ startedMs }) => startedMs)) - killedAtMs
  return [
    atMost('chunks encoded again per killed encoder', again.length / killed.length, '', {
      most: 1,
    }),
    atMost('kill -9 to the next attempt', nextMs / 1000, 's', { most: NEXT_ATTEMPT_MAX_SECONDS }),
    asInformation('chunks of the video, beside those again', encodes.length - again.length, ''),
  ]
}

const STARTED = 2

/** Returns the workers of the encodes that run, the last started one at the end; null while one waits or none has progress. */
async function lastEncodes({ temporal }: ScaleFixture, videoId: string): Promise<string[] | null> {
  const handle = temporal.workflow.getHandle(videoWorkflowId(videoId))
  const { raw } = await handle.describe().catch(() => ({ raw: {} as { pendingActivities?: null } }))
  const pending = raw.pendingActivities ?? []
  const isEncoding = pending.some(({ activityType }) => isChunkEncode(activityType?.name))
  if (!isEncoding || pending.some(({ state }) => Number(state) !== STARTED)) return null
  if (pending.some(({ heartbeatDetails }) => !heartbeatDetails)) return null
  return pending
    .toSorted((a, b) => Number(a.lastStartedTime?.seconds) - Number(b.lastStartedTime?.seconds))
    .map(({ lastWorkerIdentity }) => lastWorkerIdentity ?? '')
}
