import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach } from '@jest/globals'
import { Context } from '@temporalio/activity'
import type { WorkflowHandle } from '@temporalio/client'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, Worker, bundleWorkflowCode } from '@temporalio/worker'
import type { EncodingPlan } from '../../activities/prepare-encoding.ts'
import type { DownloadOutcome } from '../../domain/ingest.ts'
import { planLadder } from '../../domain/ladder.ts'
import type { ingestVideo } from '../ingest-video.ts'
import { openTimeSkipping } from './time-skipping.ts'

/** `INDEXED_VALUE_TYPE_KEYWORD` of Temporal's API. */
const KEYWORD = 2
export const VIDEO_ID = '0123456789abcdef0123'
export const REFUSED = {
  ok: false,
  code: 'source_unreachable',
  message: 'It is away.',
} satisfies DownloadOutcome
const ARRIVED: DownloadOutcome = { ok: true, sizeBytes: 10 }

/** Of a film in 720p with sound. */
export const PLAN: EncodingPlan = {
  facts: {
    container: 'mov',
    durationMs: 8_000,
    audio: [
      { index: 1, codec: 'aac', channels: 2, sampleRate: 48_000, language: 'en', title: null },
    ],
    video: {
      ...{ index: 0, codec: 'h264', width: 1280, height: 720, displayWidth: 1280 },
      ...{ displayHeight: 720, rotation: 0, frameRate: '30/1', durationMs: 8_000 },
      ...{ interlaced: false, hdr: null },
    },
  },
  rungs: planLadder({ width: 1280, height: 720, availableResolutions: [240, 360, 480, 720] }),
  audio: [{ name: 'audio-0', position: 0 }],
}

/** What the activities did, in order, and how they answer; each test begins with a film that succeeds. */
export interface IngestTests {
  calls: string[]
  download: () => Promise<DownloadOutcome>
  prepare: () => Promise<EncodingPlan>
  encode: (name: string) => Promise<void>
  finish: () => Promise<void>
  start(): Promise<WorkflowHandle<typeof ingestVideo>>
  /** The server's clock, which skips. */
  nowMs(): Promise<number>
}

/** Sets up a server that skips time, and workers whose activities do as the test says. */
export function setUpIngest(): IngestTests {
  let environment: TestWorkflowEnvironment
  let workers: Worker[]
  let running: Promise<unknown>
  let nextId = 1
  const tests: IngestTests = {
    ...succeeding(),
    nowMs: () => environment.currentTimeMs(),
    start: () =>
      environment.client.workflow.start<typeof ingestVideo>('ingestVideo', {
        workflowId: `video-${nextId++}`,
        taskQueue: 'ingest',
        args: [{ videoId: VIDEO_ID, accountId: 7 }],
        // Without it the test server's clock jumps ten years when a result is waited for.
        workflowExecutionTimeout: '30 days',
      }),
  }
  beforeAll(async () => {
    environment = await openEnvironment()
    workers = await openWorkers(environment, activitiesOf(tests))
    running = Promise.all(workers.map((worker) => worker.run()))
  })
  beforeEach(() => void Object.assign(tests, succeeding()))
  afterAll(async () => {
    for (const worker of workers) worker.shutdown()
    await running
    await environment.teardown()
  })
  return tests
}

const succeeding = () => ({
  calls: [],
  download: async () => ARRIVED,
  prepare: async () => PLAN,
  encode: async () => undefined,
  finish: async () => undefined,
})

/** Works until it is told to stop, as an encoder does; `onStop` then says how it ends. */
export async function untilStopped(onStop: (error: unknown) => void = () => {}): Promise<never> {
  const context = Context.current()
  try {
    for (;;) {
      context.heartbeat()
      await context.sleep(20)
    }
  } catch (error) {
    onStop(error)
    throw error
  }
}

const activitiesOf = (tests: IngestTests) => ({
  async downloadSource() {
    tests.calls.push('download')
    return tests.download()
  },
  async prepareEncoding() {
    tests.calls.push('prepare')
    return tests.prepare()
  },
  async encodeRung({ rung }: { rung: { name: string } }) {
    tests.calls.push(rung.name)
    await tests.encode(rung.name)
  },
  async encodeAudio({ track }: { track: { name: string } }) {
    tests.calls.push(track.name)
    await tests.encode(track.name)
  },
  async finishVideo() {
    tests.calls.push('finish')
    await tests.finish()
  },
  async failVideo({ code }: { code: string }) {
    tests.calls.push(`fail ${code}`)
  },
  async cleanUpVideo() {
    tests.calls.push('clean up')
  },
})

async function openEnvironment(): Promise<TestWorkflowEnvironment> {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  const environment = await openTimeSkipping()
  await environment.connection.operatorService.addSearchAttributes({
    ...(environment.namespace === undefined ? {} : { namespace: environment.namespace }),
    searchAttributes: { VideoStatus: KEYWORD },
  })
  return environment
}

async function openWorkers(
  { nativeConnection: connection }: TestWorkflowEnvironment,
  activities: object,
): Promise<Worker[]> {
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../index.ts', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  })
  // A cancellation arrives with the answer to a heartbeat.
  const common = {
    connection,
    activities,
    maxHeartbeatThrottleInterval: '50 milliseconds',
  } as const
  return Promise.all([
    Worker.create({ ...common, taskQueue: 'ingest', workflowBundle }),
    Worker.create({ ...common, taskQueue: 'encode' }),
  ])
}
