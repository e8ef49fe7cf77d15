import { beforeAll, describe, expect, it } from 'vitest'
import { setUpHostileReceiverFixture } from '../../test/fixtures/hostile-receivers.ts'
import type { TestServer } from '../../test/infrastructure/test-network.ts'

const { t, attemptAt } = setUpHostileReceiverFixture()
const notConnected = { responseStatus: null, remoteIp: null, responseHeaders: {} }
let server: TestServer

beforeAll(async () => {
  const names = ['flip.test', 'slow.test']
  server = await t.network.serveHttps(names, (_request, response) => response.end('ok'))
})

describe('a name that does not resolve is dns_error', () => {
  it.each([
    ['it does not exist', 'NXDOMAIN'],
    ['its server fails', 'SERVFAIL'],
    ['its server refuses the query', 'REFUSED'],
    ['it exists without an address', []],
    ['its server never responds', 'SILENCE'],
    ['its server responds with noise', 'NOISE'],
  ] as const)('if %s', async (_what, reply) => {
    t.network.dns.set('gone.test', typeof reply === 'string' ? reply : Array.from(reply))
    const attempt = await attemptAt('https://gone.test/')
    expect(attempt).toMatchObject({ ...notConnected, errorCode: 'dns_error', timings: {} })
  })
})

it('a resolver that resolves no name at all uses no attempt', async () => {
  const { id } = await t.webhooks.addEndpoint('https://gone.test/')
  const { deliveryId } = await t.webhooks.announceTo(id)
  t.network.dns.setSilent(true)
  // Longer than a response to an earlier test still shows that the network works.
  const attempt = t.run(deliveryId, { lookupDeadlineMs: 1_200 })
  await expect(attempt.finally(() => t.network.dns.setSilent(false))).rejects.toMatchObject({
    type: 'EndpointBusy',
  })
  expect(await t.webhooks.attempts(deliveryId)).toEqual([])
  expect(await t.webhooks.delivery(deliveryId)).toMatchObject({
    status: 'pending',
    attemptCount: 0,
  })
})

describe('DNS that is slow', () => {
  it('is awaited, and its duration is recorded', async () => {
    t.network.dns.set('slow.test', { afterMs: 600, addresses: ['127.0.0.1'] })
    const attempt = await attemptAt(`https://slow.test:${server.port}/`)
    expect(attempt).toMatchObject({ errorCode: null, responseStatus: 200 })
    expect(attempt.timings.dnsMs).toBeGreaterThan(500)
  })

  it.each([
    ['never responds', 'SILENCE' as const],
    ['responds after it', { afterMs: 1_200, addresses: ['127.0.0.1'] }],
  ])('is dns_error if the lookup deadline passes first and it %s', async (_what, reply) => {
    const before = server.accepted()
    t.network.dns.set('slow.test', reply)
    const options = { lookupDeadlineMs: 400 }
    const attempt = await attemptAt(`https://slow.test:${server.port}/`, options)
    expect(attempt).toMatchObject({ ...notConnected, errorCode: 'dns_error', timings: {} })
    expect(server.accepted()).toBe(before)
  })
})

describe('a name that resolves to a non-public address is address_not_allowed', () => {
  it.each([
    ['private', ['10.0.0.1']],
    ['private after public', ['1.1.1.1', '192.168.1.1']],
    ['public after private', ['172.16.0.1', '8.8.8.8']],
    ['private IPv6 after public IPv4', ['1.1.1.1', 'fd00::1']],
    ['link-local, as metadata services are', ['169.254.169.254']],
    ['shared', ['100.64.0.1']],
    ['unspecified', ['0.0.0.0']],
    ['loopback IPv6', ['::1']],
    ['IPv4 mapped into IPv6, private', ['::ffff:10.0.0.1']],
    ['IPv4 mapped into IPv6, loopback', ['::ffff:127.0.0.1']],
    ['IPv4 compatible', ['::a00:1']],
    ['NAT64 of a private address', ['64:ff9b::a00:1']],
    ['local NAT64 of a private address', ['64:ff9b:1::a00:1']],
    ['6to4 of a private address', ['2002:a00:1::']],
    ['Teredo', ['2001:0:a00:1::']],
    ['IPv6 link-local', ['fe80::1']],
    ['multicast', ['ff02::1']],
  ])('(%s), and no connection is made', async (_what, addresses) => {
    t.network.dns.set('private.test', addresses)
    const attempt = await attemptAt(`https://private.test:${server.port}/`)
    expect(attempt).toMatchObject({ ...notConnected, errorCode: 'address_not_allowed' })
    expect(attempt.timings).toEqual({})
  })
})

describe('a name that responds differently each time', () => {
  it('is resolved once per attempt: the connection goes to the checked address', async () => {
    const { dns } = t.network
    dns.set('flip.test', ['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1'])
    const url = `https://flip.test:${server.port}/`
    const seen = []
    for (let asked = 1; asked <= 3; asked += 1) {
      const { errorCode, remoteIp } = await attemptAt(url)
      expect(dns.lookups('flip.test')).toBe(asked)
      seen.push([errorCode, remoteIp])
    }
    expect(seen).toEqual([
      [null, '127.0.0.1'],
      ['address_not_allowed', null],
      [null, '127.0.0.1'],
    ])
  })
})
