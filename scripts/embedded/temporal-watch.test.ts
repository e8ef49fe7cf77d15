import { createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { pinnedNode } from '../bootstrap/tools.mjs'
import { startChild, type Child } from './child.ts'
import { startGuard } from './guard.ts'
import { openRotatingLog } from './rotating-log.ts'
import { endIfStuck } from './temporal-watch.ts'

// The state takes too long to reproduce: 64 callers that cancelled their queries needed four minutes.
// This server responds with the message that the real one gave then.
const STUCK = 'GetNamespace operation failed. Error interrupted (9)'
const FINE = null

const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach((close) => close()))

/** Responds to each gRPC call with the next error (or none), and repeats the last one. */
async function serverThatResponds(...errors: (string | null)[]) {
  const calls = { count: 0 }
  const server = createServer()
  server.on('stream', (stream) => {
    const message = errors[Math.min(calls.count, errors.length - 1)] ?? null
    calls.count += 1
    const head = { ':status': 200, 'content-type': 'application/grpc' }
    if (message !== null)
      return stream.respond(
        { ...head, 'grpc-status': '14', 'grpc-message': message },
        { endStream: true },
      )
    stream.respond(head, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
    // One empty message.
    stream.end(Buffer.alloc(5))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, calls }
}

function startIdleChild(): Child {
  const child = startChild({
    program: pinnedNode,
    args: ['-e', 'setInterval(() => {}, 1000)'],
    log: openRotatingLog(join(tmpdir(), `temporal-watch-test-${process.pid}.log`)),
    guard: startGuard(),
  })
  closing.push(() => void child.stop())
  return child
}

describe('the watch on the embedded Temporal server', () => {
  it('ends the server when its store refuses every query', async () => {
    const { address } = await serverThatResponds(FINE, STUCK)
    const child = startIdleChild()
    const lines: string[] = []
    endIfStuck({ address, child }, (line) => lines.push(line), 10)
    await child.ended
    expect(lines).toEqual(['Temporal cannot read its store: ending it'])
  })

  it.each([
    ['whose store refuses some queries', [STUCK, STUCK, FINE, STUCK, STUCK, FINE]],
    ['that is overloaded', Array<string>(10).fill('system overloaded')],
  ])('leaves a server running %s', async (_, errors) => {
    const { address, calls } = await serverThatResponds(...errors)
    const child = startIdleChild()
    endIfStuck({ address, child }, () => {}, 10)
    while (calls.count < errors.length) await sleep(10)
    expect(child.end()).toBeNull()
  })
})
