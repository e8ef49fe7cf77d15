import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { closeServer } from '../test/infrastructure/close-server.ts'
import { createHttpServer } from './http-server.ts'

const MIB = 2 ** 20
/** More than the system keeps of what a client does not read. */
const BODY = Buffer.alloc(24 * MIB)
const STALL_TIMEOUT_MS = 1_000

let server: Server
afterEach(() => closeServer(server))

const sendBody: RequestListener = (_request, response) => void response.end(BODY)

interface Limits {
  requestTimeoutMs?: number
  stallTimeoutMs?: number
  unreadTimeoutMs?: number
}

/** Serves `app`. Resolves to the port, and to a promise of the next request. */
async function open(app: RequestListener, limits: Limits = {}) {
  const options = { logger: pino({ level: 'silent' }), ...limits, refusalBody: () => ({}) }
  server = createHttpServer(app, options).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const requested = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>
  return { port: (server.address() as AddressInfo).port, requested }
}

/** Resolves to a client that has sent its request, and to the response of `app`, by default the body. */
async function openResponse(
  limits: Limits,
  app = sendBody,
): Promise<{ client: Socket; response: ServerResponse }> {
  const { port, requested } = await open(app, limits)
  const client = connect(port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  const [, response] = await requested
  return { client, response }
}

describe.each(['stallTimeoutMs', 'unreadTimeoutMs'])('a server with %s', (limit) => {
  const limits = { [limit]: STALL_TIMEOUT_MS }

  it('disconnects a client that reads nothing of its response', async () => {
    const { client, response } = await openResponse(limits)
    client.pause().on('error', () => {})
    await once(response, 'close')
    expect(response.writableFinished).toBe(false)
    client.destroy()
  })

  it('keeps a client that reads slowly, for longer than the limit', async () => {
    const { client } = await openResponse(limits)
    const startedAtMs = performance.now()
    let readBytes = 0
    let pauses = 0
    for await (const chunk of client as AsyncIterable<Buffer>) {
      readBytes += chunk.length
      if (readBytes < (pauses + 1) * 2 * MIB) continue
      pauses += 1
      await sleep(STALL_TIMEOUT_MS / 4)
    }
    expect(readBytes).toBeGreaterThan(BODY.length)
    expect(performance.now() - startedAtMs).toBeGreaterThan(2 * STALL_TIMEOUT_MS)
  })
})

describe('a server with a limit for unread responses alone', () => {
  it('keeps a client whose response takes longer than the limit to begin', async () => {
    const app: RequestListener = (_request, response) =>
      void sleep(3 * STALL_TIMEOUT_MS).then(() => response.end('late'))
    const { client } = await openResponse({ unreadTimeoutMs: STALL_TIMEOUT_MS }, app)
    expect(await text(client)).toMatch(/late$/)
  })
})

describe('a server without a limit for requests', () => {
  it('has one for their heads', async () => {
    await open(sendBody, { requestTimeoutMs: 0 })
    expect([server.requestTimeout, server.headersTimeout]).toEqual([0, 60_000])
  })
})

it('reads the rest of a body after a response that the app sends at once', async () => {
  const { port, requested } = await open((_request, response) =>
    response.writeHead(404, { Connection: 'close' }).end('missing'),
  )
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx')
  const [request] = await requested
  const ended = once(request, 'close')
  expect(await text(client)).toContain('missing')
  client.end('x'.repeat(999))
  await ended
  expect(request.complete).toBe(true)
})
