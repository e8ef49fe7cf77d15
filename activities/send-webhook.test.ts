import { createHmac } from 'node:crypto'
import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { disableEndpoint } from '../db/deliveries.ts'
import { eventually, startTestNetwork } from '../egress/testing/test-servers.ts'
import type { TestNetwork, TestServer } from '../egress/testing/test-servers.ts'
import { createSendWebhook } from './send-webhook.ts'
import type { SendWebhookInput, SendWebhookResult } from './send-webhook.ts'
import { createReceiver, createWebhookWorld } from './testing/webhook-world.ts'
import type { WebhookWorld } from './testing/webhook-world.ts'

let world: WebhookWorld
let network: TestNetwork
let server: TestServer
let url: string
const receiver = createReceiver()
const { received } = receiver

beforeAll(async () => {
  ;[world, network] = await Promise.all([createWebhookWorld(), startTestNetwork()])
  server = await network.serveHttps(['hooks.test'], receiver.listener)
  url = `https://hooks.test:${server.port}/in?key=1`
})

beforeEach(() => {
  received.length = 0
  receiver.answer = (response) => void response.end('ok')
  network.dns.set('hooks.test', ['127.0.0.1'])
})

afterAll(() => Promise.all([world.close(), network.close()]))

const run = (deliveryId: number, input: Partial<SendWebhookInput> = {}, webhookDeadlineMs = 5000) =>
  new MockActivityEnvironment().run<[SendWebhookInput], SendWebhookResult, () => Promise<never>>(
    createSendWebhook({ ...world, egress: network.egress(), webhookDeadlineMs }) as never,
    { deliveryId, number: 1, trigger: 'schedule', ...input },
  ) as Promise<SendWebhookResult>

/** Runs attempt `number` again and again: it must be told, not made, from the second time on. */
async function runTwice(
  deliveryId: number,
  input: Partial<SendWebhookInput> = {},
  deadline = 5000,
) {
  const result = await run(deliveryId, input, deadline)
  const seen = received.length
  const again = await run(deliveryId, input, deadline)
  expect(again.outcome).toBe(result.outcome)
  expect(received).toHaveLength(seen)
  return result
}

describe('a delivery that is accepted', () => {
  it('is one POST with exactly the headers of the contract and of Standard Webhooks', async () => {
    const { id, secret } = await world.addEndpoint(url)
    const { deliveryId, eventId } = await world.announceTo(id)
    expect(await runTwice(deliveryId)).toEqual({ outcome: 'delivered' })

    const [request] = received
    const body = request?.body ?? ''
    expect(received).toHaveLength(1)
    expect(request).toMatchObject({ method: 'POST', url: '/in?key=1' })
    const t = /^t=(\d+),/.exec(String(request?.headers['service-signature']))?.[1]
    const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
    expect(request?.headers).toEqual({
      'service-signature': `t=${t},v1=${v1}`,
      'service-event-type': 'video.ready',
      'service-delivery-id': String(deliveryId),
      'content-type': 'application/json',
      'user-agent': 'Service-Webhooks/1.0',
      'webhook-id': eventId,
      'webhook-timestamp': t,
      'webhook-signature': expect.any(String),
      'accept-encoding': 'identity',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
      host: `hooks.test:${server.port}`,
    })
    expect(Math.abs(Number(t) - Date.now() / 1000)).toBeLessThan(10)
    new Webhook(secret).verify(body, request?.headers as Record<string, string>)
  })

  it('carries the compact envelope, byte for byte as it was recorded', async () => {
    const { id } = await world.addEndpoint(url)
    const { deliveryId, eventId } = await world.announceTo(id)
    await run(deliveryId)
    const [row] = await world.execute<{ body: string }>('select body from event where id = ?', [
      eventId,
    ])
    expect(received[0]?.body).toBe(row?.body)
    expect(JSON.stringify(JSON.parse(received[0]?.body ?? ''))).toBe(row?.body)
  })

  it('is recorded with its attempt, and the endpoint counts no failure', async () => {
    receiver.answer = (response) =>
      void response.writeHead(202).end(`it's 100% \\ "done" ? :x $1\0`)
    const { id } = await world.addEndpoint(url, { failureCount: 3 })
    const { deliveryId } = await world.announceTo(id)
    await runTwice(deliveryId, { trigger: 'manual' })
    expect(await world.delivery(deliveryId)).toMatchObject({
      status: 'delivered',
      attemptCount: 1,
      nextRetryAt: null,
      errorCode: null,
      completedAt: expect.any(Date),
    })
    expect(await world.attempts(deliveryId)).toMatchObject([
      {
        number: 1,
        trigger: 'manual',
        responseStatus: 202,
        errorCode: null,
        responseBody: `it's 100% \\ "done" ? :x $1\uFFFD`,
        remoteIp: '127.0.0.1',
        timings: { dnsMs: expect.any(Number), firstByteMs: expect.any(Number) },
      },
    ])
    expect(await world.endpoint(id)).toMatchObject({ failureCount: 0, isActive: true })
    const [attempt] = await world.attempts(deliveryId)
    expect(Math.abs((attempt?.startedAt.getTime() ?? 0) - Date.now())).toBeLessThan(10_000)
  })

  it('is signed with both secrets during a rotation, and with one after it', async () => {
    const { id, secret } = await world.addEndpoint(url)
    const old = 'whsec_b2xk'
    const overlap = (until: string) =>
      world.execute(
        `update webhook_endpoint set previous_sealed_secret = ?,
           previous_secret_until = now() + ?::interval where id = ?`,
        [world.sealSecret(old), until, id],
      )
    await overlap('1 hour')
    await run((await world.announceTo(id)).deliveryId)
    await overlap('-1 second')
    await run((await world.announceTo(id)).deliveryId)
    const [both, one] = received.map(({ headers, body }) => ({ headers, body }))
    for (const key of [secret, old])
      new Webhook(key).verify(both?.body ?? '', both?.headers as Record<string, string>)
    expect(String(both?.headers['service-signature']).match(/v1=/g)).toHaveLength(2)
    expect(String(one?.headers['service-signature']).match(/v1=/g)).toHaveLength(1)
  })

  it('keeps the first 16 KiB of the answer and leaves an endless one', async () => {
    receiver.answer = (response) => {
      const more = () => response.write('é'.repeat(50_000))
      response.on('drain', more)
      more()
    }
    const { id } = await world.addEndpoint(url)
    const { deliveryId } = await world.announceTo(id)
    expect(await run(deliveryId)).toEqual({ outcome: 'delivered' })
    const [attempt] = await world.attempts(deliveryId)
    expect(attempt?.responseBody).toBe('é'.repeat(8192))
    expect(attempt?.durationMs).toBeLessThan(3000)
  })

  it('leaves a healthy endpoint row alone for a minute, then writes the success down', async () => {
    const { id } = await world.addEndpoint(url)
    const before = await world.endpoint(id)
    await run((await world.announceTo(id)).deliveryId)
    expect((await world.endpoint(id)).lastSuccessAt).toEqual(before.lastSuccessAt)
    await world.execute(
      `update webhook_endpoint set last_success_at = now() - interval '2 minutes' where id = ?`,
      [id],
    )
    await run((await world.announceTo(id)).deliveryId)
    expect(Date.now() - (await world.endpoint(id)).lastSuccessAt.getTime()).toBeLessThan(30_000)
  })
})

describe('an attempt that fails', () => {
  it.each([
    [500, 'http_error'],
    [404, 'http_error'],
    [301, 'redirect_not_followed'],
    [304, 'redirect_not_followed'],
  ])('is one that answers %i: %s', async (status, errorCode) => {
    receiver.answer = (response) =>
      void response.writeHead(status, { location: `${url}&next` }).end()
    const { id } = await world.addEndpoint(url)
    const { deliveryId } = await world.announceTo(id)
    expect(await runTwice(deliveryId)).toEqual({ outcome: 'retry', nextNumber: 2, waitMs: 60_000 })
    expect(received).toHaveLength(1)
    const [attempt] = await world.attempts(deliveryId)
    expect(attempt).toMatchObject({ responseStatus: status, errorCode })
    const delivery = await world.delivery(deliveryId)
    expect(delivery).toMatchObject({ status: 'pending', attemptCount: 1, errorCode })
    expect(Math.abs((delivery.nextRetryAt?.getTime() ?? 0) - Date.now() - 60_000)).toBeLessThan(
      5000,
    )
    expect(await world.endpoint(id)).toMatchObject({ failureCount: 1, isActive: true })
  })

  it('waits 1, 5 and 30 minutes and 2 hours, and after the fifth the delivery is failed', async () => {
    receiver.answer = (response) => void response.writeHead(503).end()
    const { id } = await world.addEndpoint(url)
    const { deliveryId } = await world.announceTo(id)
    const results = []
    for (let number = 1; number <= 5; number += 1)
      results.push(await runTwice(deliveryId, { number }))
    expect(results).toEqual([
      { outcome: 'retry', nextNumber: 2, waitMs: 60_000 },
      { outcome: 'retry', nextNumber: 3, waitMs: 300_000 },
      { outcome: 'retry', nextNumber: 4, waitMs: 1_800_000 },
      { outcome: 'retry', nextNumber: 5, waitMs: 7_200_000 },
      { outcome: 'failed' },
    ])
    expect(await world.delivery(deliveryId)).toMatchObject({
      status: 'failed',
      attemptCount: 5,
      nextRetryAt: null,
      errorCode: 'http_error',
    })
    expect(await world.attempts(deliveryId)).toHaveLength(5)
    expect(await run(deliveryId, { number: 6 })).toEqual({ outcome: 'failed' })
    expect(received).toHaveLength(5)
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
  })

  it('is a body that drips past the deadline, although it began with 200', async () => {
    receiver.answer = (response) => {
      const drip = setInterval(() => response.write('.'), 50)
      response.once('close', () => clearInterval(drip))
      response.writeHead(200)
    }
    const { id } = await world.addEndpoint(url)
    const { deliveryId } = await world.announceTo(id)
    expect(await runTwice(deliveryId, {}, 600)).toMatchObject({ outcome: 'retry' })
    const [attempt] = await world.attempts(deliveryId)
    expect(attempt).toMatchObject({ errorCode: 'timeout', responseStatus: 200 })
    expect(attempt?.durationMs).toBeGreaterThanOrEqual(590)
    expect(attempt?.durationMs).toBeLessThan(1500)
  })

  it('is an answer that never comes', async () => {
    receiver.answer = () => {}
    const { id } = await world.addEndpoint(url)
    const { deliveryId } = await world.announceTo(id)
    await run(deliveryId, {}, 300)
    expect(await world.attempts(deliveryId)).toMatchObject([
      { errorCode: 'timeout', responseStatus: null, responseBody: null, remoteIp: '127.0.0.1' },
    ])
  })

  it.each([
    ['a certificate for another name', () => `https://other.test:${server.port}/`, 'tls_error'],
    ['a name that does not exist', () => 'https://gone.test/', 'dns_error'],
    ['a port where nobody listens', () => 'https://hooks.test:8443/', 'connection_refused'],
    ['an address that is private by now', () => 'https://private.test/', 'address_not_allowed'],
    ['a literal private address', () => 'https://10.0.0.1/', 'address_not_allowed'],
    ['a URL that is not allowed any more', () => 'http://hooks.test/', 'address_not_allowed'],
  ])('is %s', async (_what, target, errorCode) => {
    network.dns.set('other.test', ['127.0.0.1'])
    network.dns.set('private.test', ['1.1.1.1', '192.168.0.1'])
    const { id } = await world.addEndpoint(target())
    const { deliveryId } = await world.announceTo(id)
    expect(await runTwice(deliveryId)).toMatchObject({ outcome: 'retry', nextNumber: 2 })
    expect(await world.attempts(deliveryId)).toMatchObject([{ errorCode, responseStatus: null }])
    expect(received).toHaveLength(0)
  })

  it('is a connection that is reset before the answer, and one that is not HTTP', async () => {
    const reset = await network.serveTls(['hooks.test'], (socket) => socket.destroy())
    const noise = await network.serveTls(['hooks.test'], (socket) => socket.end('what?\r\n\r\n'))
    const codes = []
    for (const { port } of [reset, noise]) {
      const { id } = await world.addEndpoint(`https://hooks.test:${port}/`)
      const { deliveryId } = await world.announceTo(id)
      await run(deliveryId)
      codes.push((await world.attempts(deliveryId))[0]?.errorCode)
    }
    expect(codes).toEqual(['connection_reset', 'protocol_error'])
  })
})

describe('an attempt', () => {
  it('is not made for a delivery that was deleted with its endpoint', async () => {
    const { id } = await world.addEndpoint(url)
    const { deliveryId } = await world.announceTo(id)
    await world.execute('delete from webhook_endpoint where id = ?', [id])
    expect(await runTwice(deliveryId)).toEqual({ outcome: 'gone' })
    expect(received).toHaveLength(0)
  })

  it('tells a workflow that was started anew where to go on, with the rest of the wait', async () => {
    receiver.answer = (response) => void response.writeHead(500).end()
    const { id } = await world.addEndpoint(url)
    const { deliveryId } = await world.announceTo(id)
    await run(deliveryId)
    await run(deliveryId, { number: 2 })
    const told = await run(deliveryId, { number: 1 })
    expect(told).toMatchObject({ outcome: 'retry', nextNumber: 3 })
    expect(told).toMatchObject({ waitMs: expect.any(Number) })
    expect((told as { waitMs: number }).waitMs).toBeGreaterThan(290_000)
    expect((told as { waitMs: number }).waitMs).toBeLessThanOrEqual(300_000)
    expect(received).toHaveLength(2)
  })

  it('is never skipped: a number ahead of the row is led back to the row', async () => {
    const { id } = await world.addEndpoint(url)
    const { deliveryId } = await world.announceTo(id)
    expect(await run(deliveryId, { number: 4 })).toEqual({
      outcome: 'retry',
      nextNumber: 1,
      waitMs: 0,
    })
    expect(received).toHaveLength(0)
  })

  it('that two workers make at once is recorded once', async () => {
    receiver.answer = (response) => void setTimeout(() => response.writeHead(500).end(), 200)
    const { id } = await world.addEndpoint(url)
    const { deliveryId } = await world.announceTo(id)
    const results = await Promise.all([run(deliveryId), run(deliveryId)])
    expect(received).toHaveLength(2)
    expect(results.map(({ outcome }) => outcome)).toEqual(['retry', 'retry'])
    expect(await world.attempts(deliveryId)).toHaveLength(1)
    expect(await world.delivery(deliveryId)).toMatchObject({ attemptCount: 1 })
    expect(await world.endpoint(id)).toMatchObject({ failureCount: 1 })
  })

  it('that a stopping worker breaks off is not recorded, and is made again', async () => {
    receiver.answer = () => {}
    const { id } = await world.addEndpoint(url)
    const { deliveryId } = await world.announceTo(id)
    const environment = new MockActivityEnvironment()
    const send = createSendWebhook({ ...world, egress: network.egress() })
    const attempt = environment.run(send as never, { deliveryId, number: 1, trigger: 'schedule' })
    setTimeout(() => environment.cancel(), 300)
    await expect(attempt).rejects.toMatchObject({ code: 'aborted' })
    expect(await world.attempts(deliveryId)).toHaveLength(0)
    receiver.answer = (response) => void response.end()
    expect(await run(deliveryId)).toEqual({ outcome: 'delivered' })
  })

  it('is recorded although the database cannot take it at first, and is not sent again for that', async () => {
    const { id } = await world.addEndpoint(url)
    const { deliveryId } = await world.announceTo(id)
    receiver.answer = (response) => void setTimeout(() => response.end(), 200)
    const attempt = run(deliveryId)
    await eventually(() => received.length === 1)
    await world.execute('alter table webhook_attempt rename to hidden')
    setTimeout(() => void world.execute('alter table hidden rename to webhook_attempt'), 500)
    expect(await attempt).toEqual({ outcome: 'delivered' })
    expect(received).toHaveLength(1)
  })

  it('that could not be recorded is made again under the same number', async () => {
    const { id } = await world.addEndpoint(url)
    const { deliveryId } = await world.announceTo(id)
    await world.execute('alter table webhook_attempt rename to hidden')
    await expect(run(deliveryId)).rejects.toThrow('webhook_attempt')
    await world.execute('alter table hidden rename to webhook_attempt')
    expect(await run(deliveryId)).toEqual({ outcome: 'delivered' })
    expect(received).toHaveLength(2)
    expect(await world.attempts(deliveryId)).toMatchObject([{ number: 1 }])
  })

  it('fails without a secret in its words where the master key does not fit', async () => {
    const { id } = await world.addEndpoint(url)
    const { deliveryId } = await world.announceTo(id)
    await world.execute(`update webhook_endpoint set sealed_secret = 'v9.x' where id = ?`, [id])
    await expect(run(deliveryId)).rejects.toThrow('a sealed value has an unknown form')
    expect(await world.delivery(deliveryId)).toMatchObject({ status: 'pending', attemptCount: 0 })
  })
})

describe('an endpoint', () => {
  it('that is inactive gets nothing: its waiting delivery ends as endpoint_disabled', async () => {
    const { id } = await world.addEndpoint(url, { isActive: false })
    const { deliveryId } = await world.announceTo(id)
    expect(await runTwice(deliveryId)).toEqual({ outcome: 'failed' })
    expect(received).toHaveLength(0)
    expect(await world.delivery(deliveryId)).toMatchObject({
      status: 'failed',
      errorCode: 'endpoint_disabled',
      attemptCount: 0,
      completedAt: expect.any(Date),
    })
  })

  it('that is inactive still gets webhook.test', async () => {
    const { id } = await world.addEndpoint(url, { isActive: false })
    const { deliveryId } = await world.announceTo(id, 'webhook.test')
    expect(await run(deliveryId)).toEqual({ outcome: 'delivered' })
    expect(received[0]?.headers['service-event-type']).toBe('webhook.test')
  })

  it('that answers 410 is switched off at once, with what waits for it, and its owner is told', async () => {
    const watcher = await world.addEndpoint(url)
    const { id } = await world.addEndpoint(url)
    const { deliveryId } = await world.announceTo(id)
    const waiting = await world.announceTo(id)
    const test = await world.announceTo(id, 'webhook.test')
    receiver.answer = (response) => void response.writeHead(410).end()
    expect(await runTwice(deliveryId)).toEqual({ outcome: 'failed' })
    expect(await world.endpoint(id)).toMatchObject({ isActive: false, failureCount: 1 })
    expect(await world.delivery(deliveryId)).toMatchObject({
      status: 'failed',
      errorCode: 'http_error',
      attemptCount: 1,
    })
    expect(await world.delivery(waiting.deliveryId)).toMatchObject({
      status: 'failed',
      errorCode: 'endpoint_disabled',
    })
    expect(await world.delivery(test.deliveryId)).toMatchObject({ status: 'pending' })
    const events = await world.execute<{ id: number; details: object }>(
      `select id, details from security_event where event_type = 'webhook_endpoint_disabled'
       and (details->>'endpoint_id')::int = ${id}`,
    )
    expect(events).toHaveLength(1)
    expect(events[0]?.details).toEqual({ endpoint_id: id, failure_count: 1, reason: 'gone' })
    const told = await world.execute<{ endpointId: number }>(
      `select endpoint_id as "endpointId" from webhook_delivery
       where event_type = 'security.event' and endpoint_id = any(array[${watcher.id}, ${id}])`,
    )
    expect(told).toEqual([{ endpointId: watcher.id }])
  })

  it.each([
    { failureCount: 99, days: 6, isActive: false },
    { failureCount: 98, days: 6, isActive: true },
    { failureCount: 99, days: 4, isActive: true },
  ])(
    'with $failureCount failures in a row before this one and no success for $days days stays on: $isActive',
    async ({ failureCount, days, isActive }) => {
      receiver.answer = (response) => void response.writeHead(500).end()
      const lastSuccessAt = new Date(Date.now() - days * 86_400_000)
      const { id } = await world.addEndpoint(url, { failureCount, lastSuccessAt })
      const { deliveryId } = await world.announceTo(id)
      const { outcome } = await runTwice(deliveryId)
      expect(outcome).toBe(isActive ? 'retry' : 'failed')
      expect(await world.endpoint(id)).toMatchObject({ isActive, failureCount: failureCount + 1 })
      expect(await world.delivery(deliveryId)).toMatchObject(
        isActive
          ? { status: 'pending', errorCode: 'http_error' }
          : { status: 'failed', errorCode: 'endpoint_disabled' },
      )
    },
  )

  it('that is switched off while a request is on its way still counts as delivered to', async () => {
    receiver.answer = (response) => void setTimeout(() => response.end(), 300)
    const { id } = await world.addEndpoint(url)
    const { deliveryId } = await world.announceTo(id)
    const attempt = run(deliveryId)
    await eventually(() => received.length === 1)
    await world.db.em.transactional((tx) => disableEndpoint(tx, id))
    expect(await world.delivery(deliveryId)).toMatchObject({ status: 'failed' })
    expect(await attempt).toEqual({ outcome: 'delivered' })
    expect(await world.delivery(deliveryId)).toMatchObject({ status: 'delivered', errorCode: null })
  })

  it('that is switched off while a request fails gets no other one', async () => {
    receiver.answer = (response) => void setTimeout(() => response.writeHead(500).end(), 300)
    const { id } = await world.addEndpoint(url)
    const { deliveryId } = await world.announceTo(id)
    const attempt = run(deliveryId)
    await eventually(() => received.length === 1)
    await world.db.em.transactional((tx) => disableEndpoint(tx, id))
    expect(await attempt).toMatchObject({ outcome: 'retry' })
    expect(await run(deliveryId, { number: 2 })).toEqual({ outcome: 'failed' })
    expect(received).toHaveLength(1)
    expect(await world.attempts(deliveryId)).toMatchObject([{ number: 1, responseStatus: 500 }])
  })
})
