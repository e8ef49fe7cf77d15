import { setTimeout as sleep } from 'node:timers/promises'
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import { describe, expect, it } from 'vitest'
import { INTERNAL_ERROR_ATTEMPTS } from '../domain/ingest/ingest.ts'
import {
  MULTI_DRM_PLAN,
  REFUSED,
  retryWaitsMs,
  setUpIngestWorkflowFixture,
  untilStopped,
  type History,
} from '../test/fixtures/ingest-workflow.ts'
import { statusesOf, stepsOf, summariesOf } from '../test/fixtures/workflow-history.ts'
import { itOfAll } from '../test/infrastructure/every-case.ts'

const t = setUpIngestWorkflowFixture()
const reached = async (call: string) => {
  while (!t.calls.includes(call)) await sleep(20)
}

/** Whether the workflow has run since its cancellation was requested. */
function hasSeenCancellation({ events }: History): boolean {
  const requestedAt = events?.findIndex(
    (event) => event.workflowExecutionCancelRequestedEventAttributes,
  )
  if (requestedAt === undefined || requestedAt < 0) return false
  return Boolean(
    events?.slice(requestedAt).some((event) => event.workflowTaskCompletedEventAttributes),
  )
}

const failedBy = (type: string, message: string) => ({
  name: 'WorkflowFailedError',
  cause: { type, message },
})

describe('a video that fails', () => {
  it('fails immediately, with its code, if the file is not a video', async () => {
    t.prepare = () => Promise.reject(ApplicationFailure.nonRetryable('Audio.', 'no_video_stream'))
    const handle = await t.start()
    await expect(handle.result()).rejects.toMatchObject(failedBy('no_video_stream', 'Audio.'))
    expect(t.calls).toEqual(['download', 'prepare', 'fail no_video_stream'])
  })

  it('fails its workflow permanently with the readable cause, after the row is written', async () => {
    t.prepare = () => Promise.reject(ApplicationFailure.nonRetryable('Audio.', 'no_video_stream'))
    const handle = await t.start()
    const cause = { name: 'ApplicationFailure', type: 'no_video_stream', nonRetryable: true }
    await expect(handle.result()).rejects.toMatchObject({ cause })
    expect((await handle.describe()).status.name).toBe('FAILED')
    const history = await handle.fetchHistory()
    expect(statusesOf(history)).toEqual(['failed'])
    expect(summariesOf(history).at(-1)).toBe('no_video_stream')
  })

  it('stops every other rung before it is marked as failed, if one rung cannot be encoded', async () => {
    t.encode = async (name) => {
      if (name === '240p 480p 720p') {
        await Promise.all(['audio-0', '360p'].map(reached))
        throw ApplicationFailure.nonRetryable('Damaged.', 'encoding_failed')
      }
      // The others wait for their cancellation: the test server loses a task that cancels an ended activity.
      await untilStopped(() => t.calls.push(`${name} stopped`))
    }
    const handle = await t.start()
    await expect(handle.result()).rejects.toMatchObject(failedBy('encoding_failed', 'Damaged.'))
    expect(t.calls.at(-1)).toBe('fail encoding_failed')
    expect(t.calls.slice(-3, -1).toSorted()).toEqual(['360p stopped', 'audio-0 stopped'])
    expect(t.calls).not.toContain('finish')
  })

  it('stops every rung if the audio cannot be encoded', async () => {
    t.encode = async (name) => {
      if (name === 'audio-0') throw ApplicationFailure.nonRetryable('Noise.', 'encoding_failed')
      await untilStopped(() => t.calls.push(`${name} stopped`))
    }
    const handle = await t.start()
    await expect(handle.result()).rejects.toMatchObject(failedBy('encoding_failed', 'Noise.'))
    const begun = t.calls.filter((call) => /^[\dp ]+$/.test(call))
    const stopped = t.calls.filter((call) => call.endsWith('stopped'))
    expect(stopped.toSorted()).toEqual(begun.map((name) => `${name} stopped`).toSorted())
    expect(t.calls.at(-1)).toBe('fail encoding_failed')
  })

  it('fails as internal_error, without the error, if a step gives up', async () => {
    t.finish = () =>
      Promise.reject(ApplicationFailure.create({ message: 'away', nonRetryable: true }))
    const handle = await t.start()
    await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'internal_error' } })
    expect(t.calls.at(-1)).toBe('fail internal_error')
  })

  it('has two weeks of internal errors until a step gives up', () => {
    expect(retryWaitsMs(INTERNAL_ERROR_ATTEMPTS) / 86_400_000).toBeCloseTo(14, 0)
  })

  itOfAll('fails as internal_error when a step gives up', { timeout: 600_000 }, async () => {
    const nextRetryDelay = '1 millisecond'
    t.finish = () => Promise.reject(ApplicationFailure.create({ message: 'away', nextRetryDelay }))
    const handle = await t.start()
    await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'internal_error' } })
    expect(t.calls.filter((call) => call === 'finish')).toHaveLength(INTERNAL_ERROR_ATTEMPTS)
  })
})

describe('a video whose workflow is cancelled', () => {
  const cancelled = { name: 'WorkflowFailedError', cause: expect.any(CancelledFailure) }

  it('fails as cancelled, during a wait', async () => {
    t.download = async () => REFUSED
    const handle = await t.start()
    while (!stepsOf(await handle.fetchHistory()).includes(60)) await sleep(20)
    await handle.cancel()
    await expect(handle.result()).rejects.toMatchObject(cancelled)
    expect(t.calls).toEqual(['download', 'fail cancelled'])
    expect(statusesOf(await handle.fetchHistory())).toEqual(['failed'])
  })

  it('fails as cancelled while it waits for a DRM provider that is away', async () => {
    t.prepare = async () => MULTI_DRM_PLAN
    t.keys = () =>
      Promise.reject(
        ApplicationFailure.create({ message: 'Status 503.', nextRetryDelay: '5 minutes' }),
      )
    const handle = await t.start()
    await reached('keys')
    await handle.cancel()
    await expect(handle.result()).rejects.toMatchObject(cancelled)
    expect(t.calls).toEqual(['download', 'prepare', 'keys', 'fail cancelled'])
  })

  it('fails as cancelled after its encoders have ended', async () => {
    t.encode = () => untilStopped(() => t.calls.push('stopped'))
    const handle = await t.start()
    await Promise.all([reached('audio-0'), reached('360p')])
    await handle.cancel()
    await expect(handle.result()).rejects.toMatchObject(cancelled)
    expect(t.calls.slice(-3)).toEqual(['stopped', 'stopped', 'fail cancelled'])
  })

  it('fails as cancelled when a stopped tool reports another failure', async () => {
    t.prepare = () =>
      untilStopped(() => {
        throw ApplicationFailure.nonRetryable('ffmpeg was killed', 'encoding_failed')
      })
    const handle = await t.start()
    await reached('prepare')
    await handle.cancel()
    await expect(handle.result()).rejects.toMatchObject(cancelled)
    expect(t.calls).toEqual(['download', 'prepare', 'fail cancelled'])
  })

  it('is not shown as failed if it was deleted, which cancels its workflow too', async () => {
    t.fail = async () => false
    t.encode = () => untilStopped()
    const handle = await t.start()
    await reached('360p')
    await handle.cancel()
    await expect(handle.result()).rejects.toMatchObject(cancelled)
    expect(statusesOf(await handle.fetchHistory())).not.toContain('failed')
  })

  it('keeps the reason of a failure that is being recorded, and records it to its end', async () => {
    const { promise: isCancelled, resolve } = Promise.withResolvers<void>()
    t.prepare = () => Promise.reject(ApplicationFailure.nonRetryable('Audio.', 'no_video_stream'))
    t.fail = async () => {
      await isCancelled
      t.calls.push('failed')
      return true
    }
    const handle = await t.start()
    await reached('fail no_video_stream')
    await handle.cancel()
    while (!hasSeenCancellation(await handle.fetchHistory())) await sleep(20)
    resolve()
    await expect(handle.result()).rejects.toMatchObject(failedBy('no_video_stream', 'Audio.'))
    expect(t.calls).toEqual(['download', 'prepare', 'fail no_video_stream', 'failed'])
  })
})
