import { describe, expect, it } from 'vitest'
import { setUpAttemptFixture } from '../../test/fixtures/webhooks.ts'

const t = setUpAttemptFixture()
const { receiver, received, run, runTwice } = t

describe('an attempt that fails', () => {
  it.each([
    [500, 'http_error'],
    [404, 'http_error'],
    [301, 'redirect_not_followed'],
    [304, 'http_error'],
  ])('because of the status %i is recorded as %s', async (status, errorCode) => {
    receiver.respond = (response) =>
      void response.writeHead(status, { location: `${t.url}&next` }).end()
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    expect(await runTwice(deliveryId)).toMatchObject({
      outcome: 'retry',
      nextNumber: 2,
      waitMs: 60_000,
    })
    expect(received).toHaveLength(1)
    const [attempt] = await t.webhooks.attempts(deliveryId)
    expect(attempt).toMatchObject({ responseStatus: status, errorCode, errorCause: null })
    expect(attempt?.errorMessage).toContain(String(status))
    const delivery = await t.webhooks.delivery(deliveryId)
    expect(delivery).toMatchObject({ status: 'pending', attemptCount: 1, errorCode })
    expect(Math.abs((delivery.nextRetryAt?.getTime() ?? 0) - Date.now() - 60_000)).toBeLessThan(
      5000,
    )
    expect(await t.webhooks.endpoint(id)).toMatchObject({ failureCount: 1, isActive: true })
  })

  it('is repeated after 1, 5 and 30 minutes and 2 hours, and the fifth failure fails the delivery', async () => {
    receiver.respond = (response) => void response.writeHead(503).end()
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    const results = []
    for (let number = 1; number <= 5; number += 1)
      results.push(await runTwice(deliveryId, { number }))
    expect(results).toMatchObject([
      { outcome: 'retry', nextNumber: 2, waitMs: 60_000 },
      { outcome: 'retry', nextNumber: 3, waitMs: 300_000 },
      { outcome: 'retry', nextNumber: 4, waitMs: 1_800_000 },
      { outcome: 'retry', nextNumber: 5, waitMs: 7_200_000 },
      { outcome: 'failed' },
    ])
    expect(await t.webhooks.delivery(deliveryId)).toMatchObject({
      status: 'failed',
      attemptCount: 5,
      nextRetryAt: null,
      errorCode: 'http_error',
    })
    expect(await t.webhooks.attempts(deliveryId)).toHaveLength(5)
    expect(await run(deliveryId, { number: 6 })).toMatchObject({ outcome: 'failed' })
    expect(received).toHaveLength(5)
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
  })

  it('with a 429 or 503 is not repeated before its Retry-After', async () => {
    const { id } = await t.webhooks.addEndpoint(t.url)
    for (const [status, retryAfter, waitMs] of [
      [429, '900', 900_000],
      [503, new Date(Date.now() + 600_000).toUTCString(), 600_000],
      [503, '5', 60_000],
      [503, '86400', 7_200_000],
      [500, '900', 60_000],
    ] as const) {
      receiver.respond = (response) =>
        void response.writeHead(status, { 'retry-after': retryAfter }).end()
      const { deliveryId } = await t.webhooks.announceTo(id)
      const result = await run(deliveryId)
      const { nextRetryAt } = await t.webhooks.delivery(deliveryId)
      // A date is whole seconds.
      const expected = waitMs - (retryAfter.includes('GMT') ? 2_000 : 0)
      expect(result).toMatchObject({ outcome: 'retry', nextNumber: 2 })
      expect((result as { waitMs: number }).waitMs).toBeGreaterThanOrEqual(expected)
      expect((result as { waitMs: number }).waitMs).toBeLessThanOrEqual(waitMs)
      const toWaitMs = (nextRetryAt?.getTime() ?? 0) - Date.now()
      expect(Math.abs(toWaitMs - waitMs)).toBeLessThan(10_000)
    }
  })

  it('because the body drips past the deadline is recorded as timeout, although its status is 200', async () => {
    receiver.respond = (response) => {
      const drip = setInterval(() => response.write('.'), 50)
      response.once('close', () => clearInterval(drip))
      response.writeHead(200)
    }
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    expect(await runTwice(deliveryId, { deadlineMs: 600 })).toMatchObject({ outcome: 'retry' })
    const [attempt] = await t.webhooks.attempts(deliveryId)
    expect(attempt).toMatchObject({ errorCode: 'timeout', responseStatus: 200 })
    expect(attempt?.durationMs).toBeGreaterThanOrEqual(590)
    expect(attempt?.durationMs).toBeLessThan(15_000)
  })

  it('because no response arrives is recorded as timeout', async () => {
    receiver.respond = () => {}
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    await run(deliveryId, { deadlineMs: 300 })
    expect(await t.webhooks.attempts(deliveryId)).toMatchObject([
      { errorCode: 'timeout', responseStatus: null, responseBody: null, remoteIp: '127.0.0.1' },
    ])
  })

  it.each([
    ['a certificate for another name', () => `https://other.test:${t.port}/`, 'tls_error'],
    ['a name that does not exist', () => 'https://gone.test/', 'dns_error'],
    ['a port without a listener', () => 'https://hooks.test:8443/', 'connection_refused'],
    ['an address that has become private', () => 'https://private.test/', 'address_not_allowed'],
    ['a literal private address', () => 'https://10.0.0.1/', 'address_not_allowed'],
    ['a URL that is no longer allowed', () => 'http://hooks.test/', 'address_not_allowed'],
  ])('because of %s is recorded with its code', async (_what, target, errorCode) => {
    t.network.dns.set('other.test', ['127.0.0.1'])
    t.network.dns.set('private.test', ['1.1.1.1', '192.168.0.1'])
    const { id } = await t.webhooks.addEndpoint(target())
    const { deliveryId } = await t.webhooks.announceTo(id)
    expect(await runTwice(deliveryId)).toMatchObject({ outcome: 'retry', nextNumber: 2 })
    expect(await t.webhooks.attempts(deliveryId)).toMatchObject([
      { errorCode, responseStatus: null },
    ])
    expect(received).toHaveLength(0)
  })

  it('because the connection is reset or the response is not HTTP is recorded with its code', async () => {
    const reset = await t.network.serveTls(['hooks.test'], (socket) => socket.destroy())
    const noise = await t.network.serveTls(['hooks.test'], (socket) => socket.end('what?\r\n\r\n'))
    const codes = []
    for (const { port } of [reset, noise]) {
      const { id } = await t.webhooks.addEndpoint(`https://hooks.test:${port}/`)
      const { deliveryId } = await t.webhooks.announceTo(id)
      await run(deliveryId)
      codes.push((await t.webhooks.attempts(deliveryId))[0]?.errorCode)
    }
    expect(codes).toEqual(['connection_reset', 'protocol_error'])
  })
})
