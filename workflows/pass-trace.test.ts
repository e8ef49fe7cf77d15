import { context, SpanKind, trace } from '@opentelemetry/api'
import {
  Client,
  WorkflowFailedError,
  type WorkflowHandle,
  type WorkflowStartOptions,
} from '@temporalio/client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ReplayBatch } from '../domain/webhooks/webhook-delivery.ts'
import {
  planOfChunks,
  REFUSED,
  setUpIngestWorkflowFixture,
  VIDEO_ID,
} from '../test/fixtures/ingest-workflow.ts'
import { setUpTimeSkippingFixture } from '../test/infrastructure/time-skipping.ts'
import {
  openTraceCollector,
  type CollectedSpan,
  type TraceCollector,
} from '../test/infrastructure/trace-collector.ts'
import { inSpan } from '../tracing/spans.ts'
import { startTracing } from '../tracing/start-tracing.ts'
import { traceStarts } from '../tracing/temporal-interceptors.ts'

/** More than the history of one workflow holds. */
const CHUNKS = 60

let collector: TraceCollector
let stopTracing: (() => Promise<void>) | null = null

beforeAll(async () => {
  collector = await openTraceCollector()
})
afterAll(() => collector.close())
beforeEach(() => {
  collector.spans.length = 0
})
afterEach(async () => {
  await stopTracing?.()
  stopTracing = null
  trace.disable()
  context.disable()
})

function openTracing(): void {
  stopTracing = startTracing({
    endpoint: collector.endpoint,
    headers: {},
    ratio: 1,
    process: 'test',
    version: '1.2.3',
    logger: { info: () => {}, warn: () => {} },
  })
}

/** The path of each span from the one that began its trace, with the outcome of a workflow. */
async function paths(): Promise<string[]> {
  await stopTracing?.()
  const { spans } = collector
  const pathOf = (span: CollectedSpan): string => {
    const above = spans.find(({ spanId }) => spanId === span.parentSpanId)
    const outcome = span.attributes['temporal.outcome']
    const name = outcome === undefined ? span.name : `${span.name} (${outcome})`
    return above ? `${pathOf(above)} > ${name}` : name
  }
  return spans.map(pathOf)
}

/** Starts a workflow as the relay does. Returns a handle of `client`, which skips time. */
async function startIn(
  client: Client,
  type: string,
  options: WorkflowStartOptions,
): Promise<WorkflowHandle> {
  const { connection } = client
  const { namespace } = client.options
  const traced = new Client({ connection, namespace, interceptors: { workflow: [traceStarts] } })
  const facts = { name: 'relay', kind: SpanKind.PRODUCER, attributes: {} }
  await inSpan(facts, () => traced.workflow.start(type, options))
  return client.workflow.getHandle(options.workflowId)
}

const textOf = async (handle: WorkflowHandle): Promise<string> =>
  JSON.stringify(await handle.fetchHistory())

describe('the trace of an ingest', () => {
  const t = setUpIngestWorkflowFixture()
  let nextId = 1
  const start = () =>
    startIn(t.client(), 'ingestVideo', {
      workflowId: `traced-video-${nextId++}`,
      taskQueue: 'ingest',
      args: [{ videoId: VIDEO_ID, accountId: 7 }],
      workflowExecutionTimeout: '30 days',
    })

  it('has the chunks of a long video below the child workflows that encode them', async () => {
    openTracing()
    t.prepare = async () => planOfChunks(CHUNKS)
    const handle = await start()
    expect(await handle.result()).toBe('ready')
    const all = await paths()
    const ingest = 'relay > ingestVideo (completed)'
    const child = `${ingest} > encodeTickets (completed)`
    const count = (path: string) => all.filter((one) => one === path).length
    expect(count(`${child} > encodeLaterChunk`)).toBe(CHUNKS)
    expect(count(`${child} > encodeNextChunk`)).toBe(CHUNKS - 1)
    expect(count(`${ingest} > encodeNextChunk`)).toBe(1)
    expect(all).toContain(`${ingest} > finishVideo`)
    expect(all.filter((path) => !path.startsWith('relay'))).toEqual([])
  })

  it('says that the ingest failed, and not why', async () => {
    openTracing()
    t.download = async () => REFUSED
    const handle = await start()
    await expect(handle.result()).rejects.toThrow(WorkflowFailedError)
    const all = await paths()
    const ingest = 'relay > ingestVideo (failed)'
    expect(all.filter((path) => path === `${ingest} > downloadSource`)).toHaveLength(3)
    expect(all).toContain(`${ingest} > failVideo`)
    expect(collector.requests.at(-1)?.body).not.toContain(REFUSED.message)
  })

  it('does not exist, and adds nothing to the history, while no traces are sent', async () => {
    const handle = await start()
    await handle.result()
    expect(await paths()).toEqual([])
    expect(await textOf(handle)).not.toContain('traceparent')
  })
})

describe('the trace of a workflow that continues as a new run', () => {
  let outcomes: ReplayBatch['outcome'][] = []
  const t = setUpTimeSkippingFixture('webhooks', {
    replayBatch: async (): Promise<ReplayBatch> => {
      const outcome = outcomes.length > 1 ? outcomes.shift() : outcomes[0]
      return { outcome: outcome ?? 'ended', eventCount: 1, scannedCount: 1 }
    },
    cancelReplay: async () => {},
  })
  let nextId = 1
  const start = () =>
    startIn(t.environment.client, 'replayWebhooks', {
      workflowId: `traced-replay-${nextId}`,
      taskQueue: 'webhooks',
      args: [{ replayId: nextId++ }],
      workflowExecutionTimeout: '1 day',
    })

  it('has each run below the one before', async () => {
    openTracing()
    outcomes = [...Array.from({ length: 70 }, () => 'full' as const), 'ended']
    await (await start()).result()
    const all = await paths()
    const first = 'relay > replayWebhooks (continued)'
    const second = `${first} > replayWebhooks (completed)`
    expect(new Set(all)).toEqual(
      new Set(['relay', first, `${first} > replayBatch`, second, `${second} > replayBatch`]),
    )
    expect(all.filter((path) => path.endsWith('> replayBatch'))).toHaveLength(71)
  })

  it('shows a cancellation, with what it still did', async () => {
    openTracing()
    outcomes = ['full']
    const handle = await start()
    await t.environment.sleep('5 seconds')
    await handle.cancel()
    await expect(handle.result()).rejects.toThrow(WorkflowFailedError)
    const cancelled = 'relay > replayWebhooks (cancelled)'
    expect(await paths()).toEqual(
      expect.arrayContaining([cancelled, `${cancelled} > cancelReplay`]),
    )
  })
})
