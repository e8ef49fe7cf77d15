import { createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from '@jest/globals'
import { pinnedNode } from '../bootstrap/tools.mjs'
import { startChild } from './child.ts'
import type { Child } from './child.ts'
import { startGuard } from './guard.ts'
import { openRotatingLog } from './rotating-log.ts'
import { endOnceStuck } from './temporal-watch.ts'

// The state cannot be brought about in reasonable time: 64 callers that gave up their calls in
// mid-query needed four minutes for it. So what answers here says what the server said then.
const STUCK = 'GetNamespace operation failed. Error interrupted (9)'
const FINE = null

const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach((close) => close()))

/** Answers each gRPC call with the next error (or none), the last one again and again. */
async function answering(...errors: (string | null)[]) {
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
    // One message of no bytes.
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

describe('the watch over the embedded Temporal server', () => {
  it('ends it once its store refuses every query', async () => {
    const { address } = await answering(FINE, STUCK)
    const child = startIdleChild()
    const lines: string[] = []
    endOnceStuck({ address, child }, (line) => lines.push(line), 10)
    await child.ended
    expect(lines).toEqual(['Temporal cannot read its store any more: ending it'])
  })

  it.each([
    ['whose store refuses a query now and then', [STUCK, STUCK, FINE, STUCK, STUCK, FINE]],
    ['that is overloaded', Array<string>(10).fill('system overloaded')],
  ])('leaves one alone %s', async (_, errors) => {
    const { address, calls } = await answering(...errors)
    const child = startIdleChild()
    endOnceStuck({ address, child }, () => {}, 10)
    while (calls.count < errors.length) await sleep(10)
    expect(child.end()).toBeNull()
  })
})
