import { once } from 'node:events'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  captureError,
  startTestNetwork,
  type TestNetwork,
  type TestServer,
} from '../test/infrastructure/test-network.ts'
import { until } from '../test/infrastructure/wait-for.ts'
import { createEgress, type Egress } from './egress.ts'

let network: TestNetwork
let egress: Egress
let server: TestServer
let seen: { method: string; url: string; headers: Record<string, unknown>; body: string }[] = []

beforeAll(async () => {
  network = await startTestNetwork()
  server = await network.serveHttps(['media.test', '127.0.0.1'], (request, response) => {
    void text(request).then((body) => {
      seen.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body,
      })
      response.setHeader('x-twice', ['a', 'b']).end('hello')
    })
  })
  egress = network.egress()
})

beforeEach(() => {
  seen = []
  network.dns.set('media.test', ['127.0.0.1'])
})

afterAll(() => network.close())

const get = (url: string, options: object = {}) =>
  egress.request({ url, method: 'GET', deadlineMs: 30_000, ...options })

describe('an outbound request', () => {
  it('returns status, headers, body, address and the time of each phase', async () => {
    const url = `https://media.test:${server.port}/a?b=c`
    const response = await get(url, { headers: { 'x-own': '1' } })
    expect(await text(response.body)).toBe('hello')
    expect(response).toMatchObject({ status: 200, finalUrl: url, redirectCount: 0 })
    expect(response.remoteAddress).toBe('127.0.0.1')
    expect(response.headers['x-twice']).toEqual(['a', 'b'])
    expect(Object.keys(response.timings)).toEqual(['dnsMs', 'connectMs', 'tlsMs', 'firstByteMs'])
    expect(Object.values(response.timings).every((ms) => ms >= 0 && ms < 5000)).toBe(true)
    expect(seen).toMatchObject([{ method: 'GET', url: '/a?b=c', headers: { 'x-own': '1' } }])
  })

  it('requests no compression, and the end of the connection', async () => {
    await text((await get(`https://media.test:${server.port}/`)).body)
    expect(seen[0]?.headers).toMatchObject({
      'accept-encoding': 'identity',
      connection: 'close',
      host: `media.test:${server.port}`,
    })
  })

  it('sends a body unchanged', async () => {
    const response = await get(`https://media.test:${server.port}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{"a":1}'),
    })
    await text(response.body)
    expect(seen).toMatchObject([{ method: 'POST', body: '{"a":1}' }])
    expect(seen[0]?.headers).toMatchObject({ 'content-length': '7' })
  })

  it('uses a new connection and one lookup each time, and closes the connection', async () => {
    const before = { accepted: server.accepted(), lookups: network.dns.lookups('media.test') }
    for (let n = 0; n < 3; n += 1)
      await text((await get(`https://media.test:${server.port}/`)).body)
    expect(server.accepted() - before.accepted).toBe(3)
    expect(network.dns.lookups('media.test') - before.lookups).toBe(3)
    await until(() => server.open() === 0)
  })

  it('closes the connection when the body is destroyed unread', async () => {
    const response = await get(`https://media.test:${server.port}/`)
    response.body.destroy()
    await until(() => server.open() === 0)
  })

  it('reaches an IP literal without a lookup, and checks the certificate for it', async () => {
    expect(await text((await get(`https://127.0.0.1:${server.port}/`)).body)).toBe('hello')
    expect(seen).toHaveLength(1)
    const other = await network.serveHttps(['media.test'], (_request, response) => response.end())
    expect(await captureError(get(`https://127.0.0.1:${other.port}/`))).toMatchObject({
      code: 'tls_error',
    })
  })

  it('ignores the final dot of a name when it checks the certificate', async () => {
    expect(await text((await get(`https://media.test.:${server.port}/`)).body)).toBe('hello')
  })

  it('returns a redirect as the response unless it may follow redirects', async () => {
    const moved = await network.serveHttps(['media.test'], (_request, response) =>
      response.writeHead(302, { location: 'https://127.0.0.1/' }).end(),
    )
    const response = await get(`https://media.test:${moved.port}/`)
    expect(response).toMatchObject({ status: 302, redirectCount: 0 })
    response.body.destroy()
  })

  it('trusts only public authorities unless others are configured', async () => {
    egress = network.egress({ extraCa: [] })
    const failure = await captureError(get(`https://media.test:${server.port}/`))
    egress = network.egress()
    expect(failure).toMatchObject({ code: 'tls_error', timings: { dnsMs: expect.any(Number) } })
  })

  it('uses only the ports 443 and 8443 by default', async () => {
    const strict = createEgress({ allowedNetworks: ['127.0.0.0/8'] })
    const url = `https://127.0.0.1:${server.port}/`
    const request = { url, method: 'GET', deadlineMs: 500 } as const
    expect(await captureError(strict.request(request))).toMatchObject({ code: 'invalid_url' })
  })

  it('refuses a DNS server that is not an address', () => {
    expect(() => createEgress({ dnsServers: ['not an address'] })).toThrow()
  })
})

describe('the body of a response', () => {
  it('is unchanged, and can have exactly the allowed size', async () => {
    const bytes = Buffer.alloc(300_000, 7)
    const big = await network.serveHttps(['media.test'], (_request, response) =>
      response.end(bytes),
    )
    const response = await get(`https://media.test:${big.port}/`, { maxResponseBytes: 300_000 })
    expect((await buffer(response.body)).equals(bytes)).toBe(true)
  })

  it('is empty for HEAD', async () => {
    const url = `https://media.test:${server.port}/`
    const response = await egress.request({ url, method: 'HEAD', deadlineMs: 5000 })
    expect(await text(response.body)).toBe('')
    await until(() => server.open() === 0)
  })

  it('can be left unread: the deadline ends it and closes the connection', async () => {
    const endless = await network.serveHttps(['media.test'], (_request, response) => {
      response.write(Buffer.alloc(1_000_000))
    })
    const response = await get(`https://media.test:${endless.port}/`, { deadlineMs: 200 })
    expect(await captureError(once(response.body, 'end'))).toMatchObject({ code: 'timeout' })
    await until(() => endless.open() === 0)
  })
})
