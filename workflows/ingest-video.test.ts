import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { Context } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, Worker, bundleWorkflowCode } from '@temporalio/worker'
import type { EncodeRungInput } from '../activities/encode-rung.ts'
import type { EncodingPlan } from '../activities/prepare-encoding.ts'
import { VIDEO_GONE } from '../domain/ingest.ts'
import type { DownloadOutcome, IngestProgress } from '../domain/ingest.ts'
import { planLadder } from '../domain/ladder.ts'
import { timeSkippingServerPath } from '../test/services/index.ts'
import type { ingestVideo } from './ingest-video.ts'
import { activityOffsetsSeconds, summariesOf } from './testing/read-history.ts'

/** `INDEXED_VALUE_TYPE_KEYWORD` of Temporal's API. */
const KEYWORD = 2
const REFUSED: DownloadOutcome = { ok: false, code: 'source_unreachable', message: 'It is away.' }
const ARRIVED: DownloadOutcome = { ok: true, sizeBytes: 10 }

const plan: EncodingPlan = {
  facts: {
    container: 'mov',
    durationMs: 8_000,
    audio: [
      { index: 1, codec: 'aac', channels: 2, sampleRate: 48_000, language: 'en', title: null },
    ],
    video: {
      ...{ index: 0, codec: 'h264', width: 1280, height: 720, displayWidth: 1280 },
      ...{ displayHeight: 720, rotation: 0, frameRate: '30/1', interlaced: false, hdr: null },
    },
  },
  rungs: planLadder({ width: 1280, height: 720, availableResolutions: [240, 360, 480, 720] }),
  audio: [{ name: 'audio-0', position: 0 }],
}

/** What the activities did, in order, and how they answer. */
let calls: string[] = []
let downloads: DownloadOutcome[] = []
let prepare: () => Promise<EncodingPlan>
let encode: (name: string) => Promise<void>

const activities = {
  async downloadSource() {
    calls.push('download')
    return downloads.shift() ?? ARRIVED
  },
  async prepareEncoding() {
    calls.push('prepare')
    return prepare()
  },
  async encodeRung({ rung }: EncodeRungInput) {
    calls.push(rung.name)
    await encode(rung.name)
  },
  async encodeAudio({ track }: { track: { name: string } }) {
    calls.push(track.name)
    await encode(track.name)
  },
  async finishVideo() {
    calls.push('finish')
  },
  async failVideo({ code }: { code: string }) {
    calls.push(`fail ${code}`)
  },
  async cleanUpVideo() {
    calls.push('clean up')
  },
}

let environment: TestWorkflowEnvironment
let workers: Worker[]
let running: Promise<unknown>

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  const workflowsPath = fileURLToPath(new URL('./index.ts', import.meta.url))
  const logger = new DefaultLogger('ERROR')
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger })
  const path = await timeSkippingServerPath()
  environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path } },
  })
  await environment.connection.operatorService.addSearchAttributes({
    ...(environment.namespace === undefined ? {} : { namespace: environment.namespace }),
    searchAttributes: { VideoStatus: KEYWORD },
  })
  const connection = environment.nativeConnection
  workers = await Promise.all([
    Worker.create({ connection, taskQueue: 'ingest', workflowBundle, activities }),
    Worker.create({ connection, taskQueue: 'encode', activities }),
  ])
  running = Promise.all(workers.map((worker) => worker.run()))
})

beforeEach(() => {
  calls = []
  downloads = []
  prepare = async () => plan
  encode = async () => undefined
})

afterAll(async () => {
  for (const worker of workers) worker.shutdown()
  await running
  await environment.teardown()
})

let nextId = 1

const start = () =>
  environment.client.workflow.start<typeof ingestVideo>('ingestVideo', {
    workflowId: `video-${nextId++}`,
    taskQueue: 'ingest',
    args: [{ videoId: '0123456789abcdef0123', accountId: 7 }],
    workflowExecutionTimeout: '1 day',
  })

describe('the ingest of a video', () => {
  it('downloads, prepares, publishes audio and lowest useful rung first, then the others, and ends ready', async () => {
    const handle = await start()
    expect(await handle.result()).toBe('ready')
    expect(calls.slice(0, 2)).toEqual(['download', 'prepare'])
    expect(new Set(calls.slice(2, 4))).toEqual(new Set(['audio-0', '360p']))
    expect(new Set(calls.slice(4, 7))).toEqual(new Set(['240p', '480p', '720p']))
    expect(calls.slice(7)).toEqual(['finish'])
    const progress = await handle.query<IngestProgress>('progress')
    expect(progress.stage).toBe('done')
    expect(progress.renditions.every(({ stage }) => stage === 'published')).toBe(true)
  })

  it('costs at most 25 events, and 12 for each rung', async () => {
    const handle = await start()
    await handle.result()
    const { events } = await handle.fetchHistory()
    expect(events?.length).toBeLessThanOrEqual(25 + 12 * plan.rungs.length)
  })

  it('with one rung costs at most 37 events', async () => {
    prepare = async () => ({ ...plan, rungs: plan.rungs.slice(0, 1) })
    const handle = await start()
    await handle.result()
    expect((await handle.fetchHistory()).events?.length).toBeLessThanOrEqual(37)
  })

  it('fails with the last reason after the third failed download, with durable waits between', async () => {
    downloads = [REFUSED, REFUSED, { ...REFUSED, code: 'source_too_large' }]
    const handle = await start()
    expect(await handle.result()).toBe('failed')
    expect(calls).toEqual(['download', 'download', 'download', 'fail source_too_large'])
    const history = await handle.fetchHistory()
    expect(activityOffsetsSeconds(history).slice(0, 3)).toEqual([0, 5, 20])
    expect(summariesOf(history)).toContain('Waiting 5 s before attempt 2')
  })

  it('goes on where the second download succeeds', async () => {
    downloads = [REFUSED]
    const handle = await start()
    expect(await handle.result()).toBe('ready')
    expect(calls.filter((call) => call === 'download')).toHaveLength(2)
  })

  it('fails at once, with its code, where the file is no video', async () => {
    prepare = () => Promise.reject(ApplicationFailure.nonRetryable('Audio.', 'no_video_stream'))
    const handle = await start()
    expect(await handle.result()).toBe('failed')
    expect(calls).toEqual(['download', 'prepare', 'fail no_video_stream'])
  })

  it('tries again where the machinery failed, which counts as no download attempt', async () => {
    let breakdowns = 2
    prepare = async () => {
      if (breakdowns-- > 0) throw new Error('the database is away')
      return plan
    }
    const handle = await start()
    expect(await handle.result()).toBe('ready')
    expect(calls.filter((call) => call === 'prepare')).toHaveLength(3)
  })

  it('fails where one rung cannot be encoded, and publishes nothing after that', async () => {
    encode = async (name) => {
      if (name === '720p') throw ApplicationFailure.nonRetryable('Damaged.', 'encoding_failed')
      if (name === '360p' || name === 'audio-0') return
      // The others work until they are told to stop.
      for (const context = Context.current(); ;) {
        context.heartbeat()
        await context.sleep(50)
      }
    }
    const handle = await start()
    expect(await handle.result()).toBe('failed')
    expect(calls.at(-1)).toBe('fail encoding_failed')
    expect(calls).not.toContain('finish')
  })

  it('ends quietly where the video was deleted meanwhile', async () => {
    prepare = () => Promise.reject(ApplicationFailure.nonRetryable('gone', VIDEO_GONE))
    const handle = await start()
    expect(await handle.result()).toBe('gone')
    expect(calls).toEqual(['download', 'prepare', 'clean up'])
  })

  it('cleans up when it is cancelled', async () => {
    downloads = [REFUSED, REFUSED, REFUSED]
    const handle = await start()
    while (!calls.includes('download')) await new Promise((resolve) => setTimeout(resolve, 20))
    await handle.cancel()
    await expect(handle.result()).rejects.toMatchObject({ name: 'WorkflowFailedError' })
    expect(calls.at(-1)).toBe('clean up')
  })
})
