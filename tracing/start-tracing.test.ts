import { context, SpanKind, trace } from '@opentelemetry/api'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { spanOfRequest } from '../domain/trace-context.ts'
import { newRequestId } from '../processes/request-log.ts'
import { freePort } from '../scripts/embedded/ports.ts'
import {
  openTraceCollector,
  trickle,
  type TraceCollector,
} from '../test/infrastructure/trace-collector.ts'
import { waitFor } from '../test/infrastructure/wait-for.ts'
import { contextBelow, endRequestSpan, inSpan, startRequestSpan } from './spans.ts'
import { startTracing } from './start-tracing.ts'

let collector: TraceCollector
let lines: unknown[]

beforeAll(async () => {
  collector = await openTraceCollector()
})
afterAll(() => collector.close())
beforeEach(() => {
  lines = []
  collector.recover()
  collector.spans.length = 0
  // A process has one provider; each test is one.
  trace.disable()
  context.disable()
})

const start = (options: { endpoint?: string; ratio?: number } = {}) =>
  startTracing({
    endpoint: collector.endpoint,
    headers: { authorization: 'Bearer key-of-the-collector' },
    ratio: 1,
    process: 'test',
    version: '1.2.3',
    logger: {
      info: (message) => void lines.push(message),
      warn: (fields, message) => void lines.push({ ...fields, message }),
    },
    ...options,
  })

function request(requestId = newRequestId(), status = 200): string {
  const ended = { operationId: 'getVideo', routePattern: '/videos/:id', accountId: 7 }
  endRequestSpan(startRequestSpan(requestId, 'GET'), { ...ended, status })
  return requestId
}

const relay = (requestId: string, work = async () => {}) => {
  const parent = contextBelow(spanOfRequest(requestId))
  return inSpan({ name: 'relay', kind: SpanKind.PRODUCER, attributes: {}, parent }, work)
}

/** A process sends so many spans at once, and fewer after some seconds. */
const FULL_BATCH = 512
const LOST = 'traces are lost: the collector did not take them'

describe('the traces of a process', () => {
  it('are sent under the ids of their requests, with the headers of the configuration', async () => {
    const stop = start()
    const requestId = request()
    await relay(requestId)
    await stop()
    const [server, below] = collector.spans
    expect(requestId).toBe(`req_${server?.traceId}`)
    expect(server).toMatchObject({
      service: 'reelgate-test',
      name: 'getVideo',
      parentSpanId: '',
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/videos/:id',
        'http.response.status_code': 200,
        'reelgate.account_id': 7,
      },
    })
    expect(below).toMatchObject({ traceId: server?.traceId, parentSpanId: server?.spanId })
    const { url, headers } = collector.requests.at(-1)!
    expect(url).toBe('/v1/traces')
    expect(headers).toMatchObject({ authorization: 'Bearer key-of-the-collector' })
  })

  it('say that something failed, but not the message of its error', async () => {
    const stop = start()
    const error = Object.assign(new Error('https://files.example/?sig=secret'), { code: 'timeout' })
    await expect(relay(newRequestId(), () => Promise.reject(error))).rejects.toBe(error)
    request(newRequestId(), 500)
    await stop()
    const [failed, refused] = collector.spans
    expect(failed).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'timeout' } })
    expect(refused).toMatchObject({ status: { code: 2 } })
    expect(collector.requests.at(-1)?.body).not.toContain('sig=')
  })

  it('are complete or missing, where only a share of the requests is traced', async () => {
    const stop = start({ ratio: 0.5 })
    const ids = Array.from({ length: 400 }, () => request())
    await Promise.all(ids.map((id) => relay(id)))
    await stop()
    const spansOfTraces = new Map<string, number>()
    for (const { traceId } of collector.spans)
      spansOfTraces.set(traceId, (spansOfTraces.get(traceId) ?? 0) + 1)
    expect(new Set(spansOfTraces.values())).toEqual(new Set([2]))
    // Six standard deviations around the half.
    expect(spansOfTraces.size).toBeGreaterThan(140)
    expect(spansOfTraces.size).toBeLessThan(260)
  })

  it('are nothing without a collector', async () => {
    const requestId = request()
    expect(startRequestSpan(requestId, 'GET').isRecording()).toBe(false)
    await expect(relay(requestId)).resolves.toBeUndefined()
  })
})

describe('a collector', () => {
  it('that is away costs the traces and one line in the log', async () => {
    const stop = start({ endpoint: `http://127.0.0.1:${await freePort()}` })
    for (let count = 0; count < 1_100; count += 1) request()
    await stop()
    expect(lines).toEqual([{ reason: 'ECONNREFUSED', message: LOST }])
  })

  it('that refuses is not quoted in the log', async () => {
    const stop = start()
    collector.respondWith((response) => void response.writeHead(401).end('echo of a key'))
    request()
    await stop()
    expect(lines).toEqual([{ reason: 401, message: LOST }])
  })

  it.each([
    ['never responds', () => {}],
    ['never ends its response', trickle],
  ])(
    'that %s does not keep the process from its end',
    async (_name, response) => {
      collector.requests.length = 0
      collector.respondWith(response)
      const stop = start()
      for (let count = 0; count < FULL_BATCH; count += 1) request()
      await waitFor('the batch', async () => collector.requests.length === 1)
      await stop()
      // An open connection would keep the process alive.
      await waitFor('the end of its connection', async () => (await collector.connections()) === 0)
    },
    30_000,
  )
})
