import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  captureError,
  startTestNetwork,
  type TestNetwork,
  type TestServer,
} from '../test/infrastructure/test-network.ts'
import type { Egress } from './egress.ts'

let network: TestNetwork
let egress: Egress
let server: TestServer

beforeAll(async () => {
  network = await startTestNetwork()
  server = await network.serveHttps(['private.test'], (_request, response) => response.end('hello'))
  egress = network.egress()
})

afterAll(() => network.close())

const get = (url: string) => egress.request({ url, method: 'GET', deadlineMs: 5000 })

describe('the address of an outbound request', () => {
  it.each([
    ['one private address', ['10.0.0.1']],
    ['a private address beside a public one', ['1.1.1.1', '10.0.0.1']],
    ['a public address beside a private one', ['10.0.0.1', '1.1.1.1']],
    ['a private IPv6 address beside an allowed IPv4 one', ['127.0.0.1', 'fd00::1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['a loopback IPv6 address', ['::1']],
    ['the metadata address', ['169.254.169.254']],
  ])('is refused when the name resolves to %s', async (_what, addresses) => {
    network.dns.set('private.test', addresses)
    const before = server.accepted()
    const url = `https://private.test:${server.port}/`
    expect(await captureError(get(url))).toMatchObject({ code: 'address_not_allowed' })
    expect(await captureError(egress.checkAddress(url))).toMatchObject({
      code: 'address_not_allowed',
    })
    expect(server.accepted()).toBe(before)
  })

  it('is looked up once, so a different second response has no effect', async () => {
    network.dns.set('flip.test', ['127.0.0.1'], ['10.0.0.1'])
    const flip = await network.serveHttps(['flip.test'], (_request, response) => response.end('ok'))
    const url = `https://flip.test:${flip.port}/`
    const response = await get(url)
    expect([await text(response.body), response.remoteAddress]).toEqual(['ok', '127.0.0.1'])
    expect(network.dns.lookups('flip.test')).toBe(1)
    expect(await captureError(get(url))).toMatchObject({ code: 'address_not_allowed' })
  })

  it('is checked again by each request: a name can become private after its registration', async () => {
    network.dns.set('rebind.test', ['1.1.1.1'], ['169.254.169.254'])
    const url = `https://rebind.test:${server.port}/`
    await egress.checkAddress(url)
    expect(await captureError(get(url))).toMatchObject({ code: 'address_not_allowed' })
  })

  it('is the first that accepts a connection', async () => {
    network.dns.set('many.test', ['127.0.0.9', '127.0.0.8', '127.0.0.1'])
    const many = await network.serveHttps(['many.test'], (_request, response) => response.end('ok'))
    const response = await get(`https://many.test:${many.port}/`)
    expect([await text(response.body), response.remoteAddress]).toEqual(['ok', '127.0.0.1'])
  })

  it('is one of the first four', async () => {
    network.dns.set(
      'hundreds.test',
      Array.from({ length: 200 }, (_, n) => `127.0.1.${n + 1}`).concat('127.0.0.1'),
    )
    const failure = await captureError(get(`https://hundreds.test:${server.port}/`))
    expect(failure).toMatchObject({ code: 'connection_refused', remoteAddress: '127.0.1.4' })
  })

  it('falls back between IPv4 and IPv6', async () => {
    const both = network.egress({ allowedNetworks: ['127.0.0.0/8', '::1/128'] })
    network.dns.set('dual.test', ['127.0.0.9', '::1'])
    const dual = await network.serveHttps(
      ['dual.test'],
      (_q, response) => response.end('ok'),
      '::1',
    )
    const url = `https://dual.test:${dual.port}/`
    const response = await both.request({ url, method: 'GET', deadlineMs: 5000 })
    expect([await text(response.body), response.remoteAddress]).toEqual(['ok', '::1'])
  })

  it.each(['NXDOMAIN', 'SERVFAIL'] as const)('is dns_error when DNS returns %s', async (reply) => {
    network.dns.set('gone.test', reply)
    const failure = await captureError(get(`https://gone.test:${server.port}/`))
    expect(failure).toMatchObject({ code: 'dns_error', timings: {} })
  })

  it('does not wait long for an address family without a response', async () => {
    network.dns.set('half.test', { onlyV4: ['1.1.1.1'] }, { onlyV4: ['10.0.0.1'] })
    const startedMs = performance.now()
    await egress.checkAddress('https://half.test/')
    const failure = await captureError(egress.checkAddress('https://half.test/'))
    expect(failure).toMatchObject({ code: 'address_not_allowed' })
    expect(performance.now() - startedMs).toBeLessThan(9_000)
  })

  it('is dns_error when the name has no address', async () => {
    network.dns.set('empty.test', [])
    expect(await captureError(get('https://empty.test/'))).toMatchObject({ code: 'dns_error' })
  })

  it('is looked up by the system when no DNS servers are given', async () => {
    const system = network.egress({ dnsServers: [] })
    expect(await captureError(system.checkAddress('https://no-such-name.invalid/'))).toMatchObject({
      code: 'dns_error',
    })
  })
})
