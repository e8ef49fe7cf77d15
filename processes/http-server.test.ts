import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
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

/** Serves the body. Resolves to a client that has sent its request, and to the response. */
async function openResponse(): Promise<{ client: Socket; response: ServerResponse }> {
  server = createHttpServer((_request, response) => void response.end(BODY), {
    logger: pino({ level: 'silent' }),
    stallTimeoutMs: STALL_TIMEOUT_MS,
    refusalBody: () => ({}),
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const requested = once(server, 'request')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  const [, response] = (await requested) as [IncomingMessage, ServerResponse]
  return { client, response }
}

describe('a server with a limit for stalled responses', () => {
  it('disconnects a client that reads nothing of its response', async () => {
    const { client, response } = await openResponse()
    client.pause().on('error', () => {})
    await once(response, 'close')
    expect(response.writableFinished).toBe(false)
    client.destroy()
  })

  it('keeps a client that reads slowly, for longer than the limit', async () => {
    const { client } = await openResponse()
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
