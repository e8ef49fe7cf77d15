import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drip, OK, startHostileNetwork, type HostileNetwork } from '../test/fixtures/egress.ts'
import { captureError } from '../test/infrastructure/test-network.ts'
import { until } from '../test/infrastructure/wait-for.ts'

let network: HostileNetwork['network']
let egress: HostileNetwork['egress']
let ask: HostileNetwork['ask']
let askPort: HostileNetwork['askPort']

beforeAll(async () => {
  ;({ network, egress, ask, askPort } = await startHostileNetwork())
})

afterAll(() => network.close())

/** A request without a deadline would never end, so the bound leaves a busy machine its time. */
const IN_TIME_MS = 10_000

describe('the deadline of a request covers', () => {
  const limit = { deadlineMs: 300 }
  const inTime = { failure: { code: 'timeout' } }
  const expectInTime = (result: { failure: unknown; tookMs: number }) => {
    expect(result).toMatchObject(inTime)
    expect(result.tookMs).toBeLessThan(IN_TIME_MS)
  }

  it('DNS that never responds', async () => {
    network.dns.set('silent.test', 'SILENCE')
    const request = { url: 'https://silent.test/', method: 'GET', deadlineMs: 300 } as const
    const startedMs = performance.now()
    const failure = await captureError(egress.request(request))
    expectInTime({ failure, tookMs: performance.now() - startedMs })
  })

  it('a server that accepts the connection and sends nothing', async () => {
    const server = await network.serveTcp(() => {})
    expectInTime(await askPort(server.port, limit))
    await until(() => server.open() === 0)
  })

  it('a TLS handshake that stalls', async () => {
    const server = await network.serveTcp((socket) => {
      // The start of a ServerHello record that is never completed.
      socket.once('data', () =>
        drip(socket, Buffer.from([0x16, 3, 3, 0x0f, 0xff, 2, 0, 0x0f, 0xfb])),
      )
    })
    const result = await askPort(server.port, limit)
    expect(result.failure).toMatchObject({ code: expect.stringMatching(/^(timeout|tls_error)$/) })
    expect(result.tookMs).toBeLessThan(IN_TIME_MS)
  })

  it('headers that never arrive', async () => {
    expectInTime(await ask(() => {}, limit))
  })

  it('headers that drip byte by byte', async () => {
    expectInTime(
      await ask((socket) => {
        socket.write(`${OK}x-slow: `)
        drip(socket, 'a')
      }, limit),
    )
  })

  it('endless interim responses', async () => {
    expectInTime(await ask((socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'), limit))
  })

  it('a body that drips', async () => {
    expectInTime(
      await ask((socket) => {
        socket.write(`${OK}content-length: 100000\r\n\r\n`)
        drip(socket, 'a')
      }, limit),
    )
  })

  it('a chunked body that drips', async () => {
    expectInTime(
      await ask((socket) => {
        socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`)
        drip(socket, '1\r\na\r\n')
      }, limit),
    )
  })

  it('an endless chunk extension', async () => {
    const result = await ask((socket) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n1;`)
      drip(socket, 'a'.repeat(1000))
    }, limit)
    expect(result.failure).toMatchObject({
      code: expect.stringMatching(/^(timeout|protocol_error)$/),
    })
    expect(result.tookMs).toBeLessThan(IN_TIME_MS)
  })

  it('a redirect that drips, and all hops together', async () => {
    const server = await network.serveHttps(['hostile.test'], (_request, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 120)
    })
    expectInTime(await askPort(server.port, { ...limit, maxRedirects: 100 }))
  })
})

describe('an aborted request', () => {
  it.each([
    ['before it begins', 0],
    ['while it waits', 50],
  ])('is aborted %s, with the connection closed', async (_when, delayMs) => {
    const server = await network.serveTls(['hostile.test'], () => {})
    const controller = new AbortController()
    if (delayMs === 0) controller.abort()
    else setTimeout(() => controller.abort(), delayMs)
    const { failure } = await askPort(server.port, { signal: controller.signal })
    expect(failure).toMatchObject({ name: 'EgressError', code: 'aborted' })
    await until(() => server.open() === 0)
  })

  it('is aborted during its body', async () => {
    const server = await network.serveTls(['hostile.test'], (socket) => {
      socket.write(`${OK}content-length: 100\r\n\r\nabc`)
    })
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 50)
    const { failure } = await askPort(server.port, { signal: controller.signal })
    expect(failure).toMatchObject({ name: 'EgressError', code: 'aborted' })
    await until(() => server.open() === 0)
  })
})
