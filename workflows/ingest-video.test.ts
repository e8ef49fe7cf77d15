import { ApplicationFailure } from '@temporalio/common'
import { describe, expect, it } from 'vitest'
import { ingestStep } from '../activities/ingest/ingest-step.ts'
import { PRIORITIES } from '../domain/ingest/ingest-priority.ts'
import { KEY_ATTEMPTS, VIDEO_GONE, type IngestProgress } from '../domain/ingest/ingest.ts'
import { DrmProviderError } from '../drm/drm-provider-error.ts'
import { runTool } from '../media/run-tool.ts'
import {
  MULTI_DRM_PLAN,
  PLAN,
  REFUSED,
  retryWaitsMs,
  setUpIngestWorkflowFixture,
  VIDEO_ID,
} from '../test/fixtures/ingest-workflow.ts'
import {
  activitiesOf,
  failedActivitiesOf,
  statusesOf,
  stepsOf,
  summariesOf,
} from '../test/fixtures/workflow-history.ts'

const t = setUpIngestWorkflowFixture()

const away = (): ApplicationFailure =>
  ApplicationFailure.retryable('Status 503.', 'drm_provider_unavailable')

describe('the ingest of a video', () => {
  it('downloads, prepares, publishes audio and every rung, the lowest useful one first, and ends as ready', async () => {
    const handle = await t.start()
    expect(await handle.result()).toBe('ready')
    expect(t.calls.slice(0, 2)).toEqual(['download', 'prepare'])
    expect(t.calls.slice(2, 5).toSorted()).toEqual(['240p 480p 720p', '360p', 'audio-0'])
    expect(t.calls.slice(5)).toEqual(['finish'])
  })

  it('is playable in the Web UI once the audio and the first rung are published, and not before', async () => {
    let arrive = (): void => {}
    const audio = new Promise<void>((resolve) => (arrive = resolve))
    t.encode = (name) => (name === 'audio-0' ? audio : Promise.resolve())
    const handle = await t.start()
    const renditions = async () => (await handle.query<IngestProgress>('progress')).renditions
    while ((await renditions()).filter(({ stage }) => stage === 'published').length < 4)
      await new Promise((resolve) => setTimeout(resolve, 20))
    expect((await renditions())[0]).toEqual({ name: 'audio-0', stage: 'encoding' })
    expect(statusesOf(await handle.fetchHistory())).toEqual(['processing'])
    expect((await handle.query<IngestProgress>('progress')).stage).toBe('encode')
    arrive()
    await handle.result()
    const progress = await handle.query<IngestProgress>('progress')
    expect(progress.stage).toBe('done')
    expect(progress.renditions.every(({ stage }) => stage === 'published')).toBe(true)
    const statuses = statusesOf(await handle.fetchHistory())
    expect(statuses).toEqual(['processing', 'playable', 'ready'])
  })

  it.each([1, 4])('costs at most 25 events and 12 for each of %i rungs', async (rungs) => {
    t.prepare = async () => ({ ...PLAN, rungs: PLAN.rungs.slice(0, rungs) })
    const handle = await t.start()
    await handle.result()
    expect((await handle.fetchHistory()).events?.length).toBeLessThanOrEqual(25 + 12 * rungs)
  })

  it.each([
    { worker: 'a worker of this version', isOlderDownloader: false, failedActivities: 3 },
    { worker: 'an older worker', isOlderDownloader: true, failedActivities: 0 },
  ])(
    'fails with the last reason after the third failed download of $worker, with durable waits between them',
    async ({ isOlderDownloader, failedActivities }) => {
      const responses = [REFUSED, REFUSED, { ...REFUSED, code: 'source_too_large' }]
      Object.assign(t, { isOlderDownloader, download: async () => responses.shift() ?? REFUSED })
      const handle = await t.start()
      await expect(handle.result()).rejects.toMatchObject({
        cause: { type: 'source_too_large', message: REFUSED.message },
      })
      expect(t.calls).toEqual(['download', 'download', 'download', 'fail source_too_large'])
      const history = await handle.fetchHistory()
      expect(stepsOf(history).slice(0, 5)).toEqual(['activity', 60, 'activity', 600, 'activity'])
      expect(summariesOf(history)).toEqual([
        'Download, attempt 1 of 3',
        'Waiting 60 s before attempt 2',
        'Download, attempt 2 of 3',
        'Waiting 600 s before attempt 3',
        'Download, attempt 3 of 3',
        'source_too_large',
      ])
      // Temporal's Web UI shows them as failed.
      const failed = failedActivitiesOf(history)
      expect(failed).toEqual(
        ['source_unreachable', 'source_unreachable', 'source_too_large'].slice(0, failedActivities),
      )
    },
  )

  it('becomes ready also if a step finds a worker only after two weeks and a day', async () => {
    const nextRetryDelay = '15 days'
    let isFirst = true
    t.encode = async () => {
      if (!isFirst) return
      isFirst = false
      throw ApplicationFailure.create({ message: 'No encoder is there.', nextRetryDelay })
    }
    const handle = await t.start()
    expect(await handle.result()).toBe('ready')
  })

  it('continues if the second download succeeds', async () => {
    const { download } = t
    t.download = async () => (t.calls.length === 1 ? REFUSED : download())
    const handle = await t.start()
    expect(await handle.result()).toBe('ready')
    expect(t.calls.filter((call) => call === 'download')).toHaveLength(2)
  })

  it('retries after an internal error, which is not a download attempt', async () => {
    const { download, prepare } = t
    let breakdowns = 5
    const away = () => {
      if (breakdowns-- > 0) throw new Error('the database is away')
    }
    t.download = async () => (breakdowns > 2 ? away() : undefined) ?? download()
    t.prepare = async () => away() ?? prepare()
    const handle = await t.start()
    expect(await handle.result()).toBe('ready')
    expect(t.calls.filter((call) => call === 'download')).toHaveLength(4)
    expect(t.calls.filter((call) => call === 'prepare')).toHaveLength(3)
  })

  it('becomes ready after a day without storage or database, in every step', async () => {
    const { download, prepare, encode, finish } = t
    const QUARTER_MS = 6 * 3_600_000
    const begunMs = await t.nowMs()
    const passedMs = async () => (await t.nowMs()) - begunMs
    // The service of each step is unavailable for a quarter of the day.
    const away = async (quarter: number) => {
      if ((await passedMs()) < quarter * QUARTER_MS) throw new Error('the storage is away')
    }
    t.download = async () => (await away(1), download())
    t.prepare = async () => (await away(2), prepare())
    t.encode = async (name) => (await away(3), encode(name))
    t.finish = async () => (await away(4), finish())
    const handle = await t.start()
    expect(await handle.result()).toBe('ready')
    expect(await passedMs()).toBeGreaterThanOrEqual(4 * QUARTER_MS)
    expect((await handle.fetchHistory()).events?.length).toBeLessThanOrEqual(25 + 12 * 4)
  })

  it('fails at the tenth crash of a tool; internal errors in between do not count', async () => {
    const crashes = (count: number) => Array.from({ length: count }, () => 'crash')
    const tries = [...crashes(3), 'away', 'away', ...crashes(6), 'away', 'crash', 'none left']
    t.prepare = () =>
      ingestStep(async () => {
        if (tries.shift() === 'away') throw new Error('the storage is away')
        await runTool('sh', ['-c', 'kill -SEGV $$'], new AbortController())
        return PLAN
      })({})
    const handle = await t.start()
    await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'tool_failed' } })
    expect(tries).toEqual(['none left'])
  })

  it('ends without a failure if the video was deleted', async () => {
    t.prepare = () => Promise.reject(ApplicationFailure.nonRetryable('gone', VIDEO_GONE))
    const handle = await t.start()
    expect(await handle.result()).toBe('gone')
    expect(t.calls).toEqual(['download', 'prepare', 'clean up'])
  })

  it('gets the keys of a Multi-DRM video in a step of its own, which costs six events', async () => {
    const fetchHistory = async () => {
      const handle = await t.start()
      expect(await handle.result()).toBe('ready')
      return handle.fetchHistory()
    }
    const clearKey = await fetchHistory()
    expect(t.calls).not.toContain('keys')
    t.calls = []
    t.prepare = async () => MULTI_DRM_PLAN
    const multiDrm = await fetchHistory()
    expect(t.calls.slice(0, 3)).toEqual(['download', 'prepare', 'keys'])
    expect(summariesOf(multiDrm)).toContain('Keys from the DRM provider')
    const count = (history: typeof clearKey) => history.events?.length ?? 0
    expect(count(multiDrm)).toBeLessThanOrEqual(25 + 6 + 12 * 4)
  })

  it('waits for a DRM provider that is away for hours, and does not probe the video again', async () => {
    t.prepare = async () => MULTI_DRM_PLAN
    const begunMs = await t.nowMs()
    const passedMs = async () => (await t.nowMs()) - begunMs
    const AWAY_MS = 8 * 3_600_000
    t.keys = async () => {
      if ((await passedMs()) < AWAY_MS) throw away()
    }
    const handle = await t.start()
    expect(await handle.result()).toBe('ready')
    expect(await passedMs()).toBeGreaterThanOrEqual(AWAY_MS)
    expect(t.calls.filter((call) => call === 'prepare')).toHaveLength(1)
    const tries = t.calls.filter((call) => call === 'keys').length
    expect(tries).toBeGreaterThan(1)
    expect(tries).toBeLessThan(KEY_ATTEMPTS)
  })

  it('fails as drm_provider_unavailable after about twelve hours without keys', async () => {
    t.prepare = async () => MULTI_DRM_PLAN
    const begunMs = await t.nowMs()
    t.keys = () =>
      ingestStep(async () => {
        throw new DrmProviderError('drm_provider_unavailable', 'Status 503.')
      })({})
    const handle = await t.start()
    await expect(handle.result()).rejects.toMatchObject({
      cause: { type: 'drm_provider_unavailable', message: 'Status 503.' },
    })
    expect(t.calls.filter((call) => call === 'keys')).toHaveLength(KEY_ATTEMPTS)
    expect(t.calls.at(-1)).toBe('fail drm_provider_unavailable')
    // The test server may skip more than a wait on a busy machine, so the bounds are those of the policy.
    const waitsMs = retryWaitsMs(KEY_ATTEMPTS)
    expect(waitsMs / 3_600_000).toBeGreaterThan(11)
    expect(waitsMs / 3_600_000).toBeLessThan(13)
    expect((await t.nowMs()) - begunMs).toBeGreaterThanOrEqual(waitsMs)
  })

  it('fails immediately as drm_provider_refused, with what was wrong', async () => {
    t.prepare = async () => MULTI_DRM_PLAN
    t.keys = () =>
      ingestStep(async () => {
        throw new DrmProviderError('drm_provider_refused', 'The response has no key for SD.')
      })({})
    const handle = await t.start()
    await expect(handle.result()).rejects.toMatchObject({
      cause: { type: 'drm_provider_refused', message: 'The response has no key for SD.' },
    })
    expect(t.calls).toEqual(['download', 'prepare', 'keys', 'fail drm_provider_refused'])
  })

  it('tells its last step that it belongs to a backlog, so that its tools yield the processor', async () => {
    const handle = await t.start({ priorityKey: PRIORITIES.backlog, fairnessKey: '7' })
    expect(await handle.result()).toBe('ready')
    // In the history, because the server of the tests tells workers also what an activity has from its workflow.
    expect(activitiesOf(await handle.fetchHistory()).at(-1)).toMatchObject({
      type: 'finishVideo',
      queue: 'ingest',
      priorityKey: PRIORITIES.backlog,
      fairnessKey: '7',
    })
  })

  it('tells its last step which renditions it has made', async () => {
    const finished: unknown[] = []
    t.finish = async (renditions) => void finished.push(renditions)
    await (await t.start()).result()
    expect(finished).toEqual([['audio-0', ...PLAN.rungs.map(({ name }) => name)]])
  })

  it('has only ids as input', async () => {
    const handle = await t.start()
    await handle.result()
    const [started] = (await handle.fetchHistory()).events ?? []
    const [input] = started?.workflowExecutionStartedEventAttributes?.input?.payloads ?? []
    expect(JSON.parse(Buffer.from(input?.data ?? []).toString())).toEqual({
      videoId: VIDEO_ID,
      accountId: 7,
    })
  })
})
