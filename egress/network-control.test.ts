import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  captureError,
  startTestNetwork,
  type TestNetwork,
  type TestServer,
} from '../test/infrastructure/test-network.ts'
import type { Egress } from './egress.ts'

const NETWORKS = ['127.0.0.0/8', '255.255.255.255/32']

let network: TestNetwork
let server: TestServer
let egress: Egress

beforeAll(async () => {
  network = await startTestNetwork()
  server = await network.serveHttps(['up.test'], (_request, response) => response.end('ok'))
  network.dns.set('up.test', ['127.0.0.1'])
  network.dns.set('silent.test', 'SILENCE')
  network.dns.set('failing.test', 'SERVFAIL')
  // No system has a route to it for TCP.
  network.dns.set('unreachable.test', ['255.255.255.255'])
})
afterAll(() => network.close())
beforeEach(() => {
  network.dns.setSilent(false)
  egress = network.egress({ allowedNetworks: NETWORKS })
})

const ask = (url: string, by = egress): Promise<unknown> =>
  captureError(by.request({ url, method: 'GET', deadlineMs: 300, lookupDeadlineMs: 300 }))

describe('a name that does not resolve', () => {
  it.each(['silent', 'failing'])(
    'is a fault of the name while the resolver responds for another one: %s',
    async (name) => {
      expect(await ask(`https://${name}.test/`)).toMatchObject({ code: 'dns_error' })
    },
  )

  it('is a fault of this installation while the resolver responds for none', async () => {
    network.dns.setSilent(true)
    const outcomes = await Promise.all([
      ask('https://gone.test/'),
      captureError(egress.checkAddress('https://gone.test/')),
    ])
    expect(outcomes).toMatchObject([{ code: 'network_away' }, { code: 'network_away' }])
    network.dns.setSilent(false)
    expect(await ask('https://gone.test/')).toMatchObject({ code: 'dns_error' })
  })

  it('is known at once to a request that cannot wait for the control', async () => {
    network.dns.setSilent(true)
    const request = { url: 'https://gone.test/', method: 'GET', deadlineMs: 300 } as const
    const failure = await captureError(egress.request({ ...request, isUrgent: true }))
    expect(failure).toMatchObject({ code: 'timeout' })
  })

  it('is a fault of the name if the name servers say so, whatever else responds', async () => {
    const before = network.dns.lookups('gone.test')
    expect(await ask('https://gone.test/')).toMatchObject({ code: 'dns_error' })
    expect(network.dns.lookups('gone.test')).toBe(before + 1)
  })
})

describe('a host that cannot be reached', () => {
  const url = 'https://unreachable.test/'

  it('is at fault while a host responds that was reached before', async () => {
    const up = `https://up.test:${server.port}/`
    const { body } = await egress.request({ url: up, method: 'GET', deadlineMs: 5_000 })
    expect(await text(body)).toBe('ok')
    expect(await ask(url)).toMatchObject({ code: 'connection_refused' })
    network.dns.setSilent(true)
    expect(await egress.isNetworkAway(url)).toBe(false)
  })

  it('is at fault while a host of the configuration responds', async () => {
    const { port } = await network.serveTcp(() => {})
    const by = network.egress({ allowedNetworks: NETWORKS, controlHosts: [`up.test:${port}`] })
    expect(await ask(url, by)).toMatchObject({ code: 'connection_refused' })
    expect(await by.isNetworkAway(url)).toBe(false)
  })

  it('is not at fault while no host of the configuration responds', async () => {
    const controlHosts = ['unreachable.test']
    const by = network.egress({ allowedNetworks: NETWORKS, controlHosts })
    expect(await ask(url, by)).toMatchObject({ code: 'network_away' })
    expect(await by.isNetworkAway(url)).toBe(true)
  })

  it('is at fault in a process that has reached no host yet if the resolver responds', async () => {
    expect(await ask(url)).toMatchObject({ code: 'connection_refused' })
  })
})
