import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDnsServer, type DnsServer } from '../test/infrastructure/dns-server.ts'
import { captureError } from '../test/infrastructure/test-network.ts'
import { checkWebhookUrl } from './check-webhook-url.ts'
import { createEgress } from './egress.ts'

let dns: DnsServer
const check = (url: string) => checkWebhookUrl(createEgress({ dnsServers: [dns.address] }), url)

beforeAll(async () => {
  dns = await startDnsServer()
  dns.set('public.test', ['1.1.1.1', '2606:4700:4700::1111'])
  dns.set('mixed.test', ['1.1.1.1', '10.0.0.1'])
  dns.set('private.test', ['fd00::1'])
  dns.set('silent.test', 'SILENCE')
})

afterAll(() => dns.close())

describe('the URL of a webhook endpoint', () => {
  it.each([
    'https://public.test/hook',
    'https://public.test:8443/hook?a=b',
    'https://1.1.1.1/hook',
  ])('can be %s', async (url) => {
    await check(url)
  })

  it.each([
    ['invalid_webhook_url', 'http://public.test/hook'],
    ['invalid_webhook_url', 'https://public.test:444/hook'],
    ['invalid_webhook_url', 'https://user:secret@public.test/hook'],
    ['invalid_webhook_url', 'hook'],
    ['webhook_url_not_allowed', 'https://mixed.test/hook'],
    ['webhook_url_not_allowed', 'https://private.test/hook'],
    ['webhook_url_not_allowed', 'https://2130706433/hook'],
    ['webhook_url_not_allowed', 'https://localhost/hook'],
    ['webhook_url_unreachable', 'https://no-such-name.test/hook'],
  ])('is %s when it is %s', async (code, url) => {
    expect(await captureError(check(url))).toMatchObject({ name: 'WebhookUrlError', code })
  })

  it('is webhook_url_unreachable when DNS is silent, within five seconds', async () => {
    const startedMs = performance.now()
    expect(await captureError(check('https://silent.test/'))).toMatchObject({
      code: 'webhook_url_unreachable',
    })
    expect(performance.now() - startedMs).toBeLessThan(10_000)
  })
})
