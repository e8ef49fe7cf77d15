import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  blockLoop,
  saturateLoop,
  startReceiverThread,
} from '../test/infrastructure/receiver-thread.ts'
import {
  captureError,
  startTestNetwork,
  type TestNetwork,
} from '../test/infrastructure/test-network.ts'
import { occupyThreadPool } from '../test/infrastructure/thread-pool.ts'
import { connectToAddress } from './connect.ts'
import { startDeadline } from './deadline.ts'
import { delayOfTick } from './process-delay.ts'

let network: TestNetwork

beforeAll(async () => void (network = await startTestNetwork()))
afterAll(() => network.close())

describe('a server gets its full time', () => {
  it('however long the lookup takes, if the lookup has a separate limit', async () => {
    const [lookupMs, responseMs] = [1200, 500]
    const server = await network.serveHttps(['late.test'], (request, response) => {
      setTimeout(() => response.end('ok'), request.url === '/late' ? responseMs : 0)
    })
    network.dns.set('late.test', { afterMs: lookupMs, addresses: ['127.0.0.1'] })
    const base = `https://late.test:${server.port}`
    // Shorter than lookup and response together. The difference to the response alone is for a busy machine.
    const deadlineMs = lookupMs + responseMs - 100
    const late = { url: `${base}/late`, method: 'POST', deadlineMs } as const
    const { status } = await network.egress().request({ ...late, lookupDeadlineMs: 20_000 })
    expect(status).toBe(200)
    // Much shorter than the lookup, because a busy machine extends it.
    const quick = { url: `${base}/`, method: 'POST', deadlineMs: 200 } as const
    expect(await captureError(network.egress().request(quick))).toMatchObject({ code: 'timeout' })
  })

  it('however busy this process is', async () => {
    const receiver = await startReceiverThread(await network.authority.issue(['busy.test']), 1500)
    network.dns.set('busy.test', ['127.0.0.1'])
    const egress = network.egress({ ports: [receiver.port] })
    const busy = saturateLoop(500)
    try {
      const response = await egress.request({
        url: `https://busy.test:${receiver.port}/`,
        method: 'POST',
        body: '{}',
        deadlineMs: 2000,
        lookupDeadlineMs: 20_000,
      })
      expect(response.status).toBe(200)
      const { connectMs, tlsMs, firstByteMs } = response.timings
      expect(connectMs + tlsMs + firstByteMs).toBeGreaterThan(2000)
      response.body.destroy()
    } finally {
      busy.stop()
      await receiver.close()
    }
  })
})

describe('a deadline', () => {
  it('does not count the time in which this process could not read a response', async () => {
    const deadline = startDeadline(300)
    await new Promise((resolve) => setTimeout(resolve, 100))
    blockLoop(600)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(deadline.signal.aborted).toBe(false)
    expect(deadline.remainingMs()).toBeGreaterThan(0)
    await new Promise((resolve) => deadline.signal.addEventListener('abort', resolve))
    expect(deadline.signal.reason).toMatchObject({ code: 'timeout' })
    deadline.release()
  })

  it('does not count a delay of this process from before its start', async () => {
    const earlier = startDeadline(60_000)
    await new Promise((resolve) => setTimeout(resolve, 100))
    blockLoop(600)
    const deadline = startDeadline(300)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(deadline.remainingMs()).toBeLessThanOrEqual(300)
    deadline.release()
    earlier.release()
  })

  it('leaves a connected address its turn, although this process was busy meanwhile', async () => {
    const server = await network.serveTcp(() => {})
    const deadline = startDeadline(1000)
    const trace = { timings: {}, remoteAddress: '' }
    const target = { addresses: ['127.0.0.1', '127.0.0.2'], hostname: '', port: server.port }
    // After an immediate, timers run before I/O.
    await new Promise((resolve) => setImmediate(resolve))
    const connected = connectToAddress(target, deadline, trace)
    blockLoop(700)
    const socket = await connected
    expect(trace.remoteAddress).toBe('127.0.0.1')
    socket.destroy()
    deadline.release()
  })

  it('ends at most ten seconds late, however busy this process is', async () => {
    const startedAtMs = performance.now()
    const deadline = startDeadline(100)
    const busy = saturateLoop(1000)
    await new Promise((resolve) => deadline.signal.addEventListener('abort', resolve))
    busy.stop()
    deadline.release()
    expect(performance.now() - startedAtMs).toBeLessThan(20_000)
  })
})

describe('the delay of this process', () => {
  it('is the lateness of its timers, unless that is ordinary', () => {
    expect([0, 49, 50, 53, 75].map(delayOfTick)).toEqual([0, 0, 0, 0, 0])
    expect([76, 150, 650].map(delayOfTick)).toEqual([26, 100, 600])
  })
})

describe('lookups of the system that wait for a thread', () => {
  it('are faults of this installation: no thread responds for any name', async () => {
    const egress = network.egress({ dnsServers: [] })
    const ask = (name: string, accountId: number, lookupDeadlineMs = 200) =>
      captureError(
        egress.request({
          url: `https://${name}.invalid/`,
          method: 'GET',
          deadlineMs: 5000,
          lookupDeadlineMs,
          accountId,
        }),
      )
    const threads = occupyThreadPool()
    try {
      const failures = await Promise.all(['a', 'b', 'c'].map((name, index) => ask(name, index)))
      expect(failures).toMatchObject([
        { code: 'network_away' },
        { code: 'network_away' },
        { code: 'overloaded' },
      ])
    } finally {
      await threads.release()
    }
    expect(await ask('d', 4, 50_000)).toMatchObject({ code: 'dns_error' })
  })
})
