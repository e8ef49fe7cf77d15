import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { webhookAttempts, webhookDeliveries } from '../../metrics/webhooks.ts'
import { setUpAttemptFixture } from '../../test/fixtures/webhooks.ts'
import { countedSince } from '../../test/infrastructure/counted.ts'
import { followAlert } from '../../test/infrastructure/follow-alert.ts'

const t = setUpAttemptFixture()
const { receiver, received, run, runTwice } = t

describe('an attempt', () => {
  it('is counted once by its result, and its delivery when it has ended', async () => {
    const [attempts, deliveries] = await Promise.all(
      [webhookAttempts, webhookDeliveries].map(countedSince),
    )
    const { id } = await t.webhooks.addEndpoint(t.url)
    const [good, bad, gone] = [
      await t.webhooks.announceTo(id),
      await t.webhooks.announceTo(id),
      await t.webhooks.announceTo(id),
    ]
    await runTwice(good.deliveryId)
    receiver.respond = (response) => void response.writeHead(503).end()
    await runTwice(bad.deliveryId)
    receiver.respond = (response) => void response.writeHead(410).end()
    await runTwice(gone.deliveryId)
    expect(await attempts?.()).toEqual({ success: 1, http_error: 2 })
    expect(await deliveries?.()).toEqual({ delivered: 1, failed: 1 })
  })
})

describe('a failed attempt', () => {
  it('is one line of the log with its delivery, code, status and reason, without the address, a body or a secret', async () => {
    const { id, secret } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId, eventId } = await t.webhooks.announceTo(id)
    receiver.respond = (response) => void response.writeHead(503).end('their-own-words')
    t.webhooks.logged.length = 0
    await runTwice(deliveryId)
    receiver.respond = (response) => void response.destroy()
    const broken = await t.webhooks.announceTo(id)
    await runTwice(broken.deliveryId)
    const { accountId } = t.webhooks
    const ids = { accountId, endpointId: id, eventType: 'video.ready' }
    const failed = { level: 40, msg: 'a delivery attempt failed', ...ids, attempt: 1 }
    expect(t.webhooks.logged).toMatchObject([
      {
        ...failed,
        deliveryId,
        eventId,
        trigger: 'schedule',
        code: 'http_error',
        status: 503,
        reason: 'The receiver responded with status 503; it must be 2xx.',
        outcome: 'retry',
      },
      { ...failed, deliveryId: broken.deliveryId, code: 'connection_reset', status: null },
    ])
    const worker = t.webhooks.logged.map((line) => JSON.stringify(line))
    const words = {
      ENDPOINT_ID: (counted: string) => /"endpointId":(\d+)/.exec(counted)?.[1] ?? '',
    }
    const found = await followAlert('ReelgateDeliveriesFail', { worker }, words)
    expect(found.split('\n')).toEqual(worker)
    const text = worker.join()
    for (const hidden of ['hooks.test', 'their-own-words', secret, 'v1='])
      expect(text).not.toContain(hidden)
  })
})

describe('a delivery that is accepted', () => {
  it('is one POST with exactly the headers of the contract and of Standard Webhooks', async () => {
    const { id, secret } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId, eventId } = await t.webhooks.announceTo(id)
    expect(await runTwice(deliveryId)).toMatchObject({ outcome: 'delivered' })

    const [request] = received
    const body = request?.body ?? ''
    expect(received).toHaveLength(1)
    expect(request).toMatchObject({ method: 'POST', url: '/in?key=1' })
    const time = /^t=(\d+),/.exec(String(request?.headers['service-signature']))?.[1]
    const v1 = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
    expect(request?.headers).toEqual({
      'service-signature': `t=${time},v1=${v1}`,
      'service-event-type': 'video.ready',
      'service-delivery-id': String(deliveryId),
      'content-type': 'application/json',
      'user-agent': 'Service-Webhooks/1.0',
      'webhook-id': eventId,
      'webhook-timestamp': time,
      'webhook-signature': expect.any(String),
      'accept-encoding': 'identity',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
      host: `hooks.test:${t.port}`,
    })
    expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(10)
    new Webhook(secret).verify(body, request?.headers as Record<string, string>)
  })

  it('carries the compact envelope, byte for byte as recorded', async () => {
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId, eventId } = await t.webhooks.announceTo(id)
    await run(deliveryId)
    const [row] = await t.webhooks.execute<{ body: string }>(
      'select body from event where id = ?',
      [eventId],
    )
    expect(received[0]?.body).toBe(row?.body)
    expect(JSON.stringify(JSON.parse(received[0]?.body ?? ''))).toBe(row?.body)
  })

  it('is recorded with its attempt, and the endpoint counts no failure', async () => {
    receiver.respond = (response) =>
      void response.writeHead(202).end(`it's 100% \\ "done" ? :x $1\0`)
    const { id } = await t.webhooks.addEndpoint(t.url, { failureCount: 3 })
    const { deliveryId } = await t.webhooks.announceTo(id)
    await runTwice(deliveryId)
    expect(await t.webhooks.delivery(deliveryId)).toMatchObject({
      status: 'delivered',
      attemptCount: 1,
      nextRetryAt: null,
      errorCode: null,
      completedAt: expect.any(Date),
    })
    expect(await t.webhooks.attempts(deliveryId)).toMatchObject([
      {
        number: 1,
        trigger: 'schedule',
        responseStatus: 202,
        errorCode: null,
        responseBody: `it's 100% \\ "done" ? :x $1\uFFFD`,
        remoteIp: '127.0.0.1',
        timings: { dnsMs: expect.any(Number), firstByteMs: expect.any(Number) },
      },
    ])
    expect(await t.webhooks.endpoint(id)).toMatchObject({ failureCount: 0, isActive: true })
    const [attempt] = await t.webhooks.attempts(deliveryId)
    expect(Math.abs((attempt?.startedAt.getTime() ?? 0) - Date.now())).toBeLessThan(10_000)
  })

  it('is signed with both secrets during a rotation, and with one after it', async () => {
    const { id, secret } = await t.webhooks.addEndpoint(t.url)
    const old = 'whsec_b2xk'
    const overlap = (until: string) =>
      t.webhooks.execute(
        `update webhook_endpoint set previous_secrets = jsonb_build_array(jsonb_build_object(
           'sealed_secret', ?::text, 'valid_until', now() + ?::interval)) where id = ?`,
        [t.webhooks.sealSecret(old), until, id],
      )
    await overlap('1 hour')
    await run((await t.webhooks.announceTo(id)).deliveryId)
    await overlap('-1 second')
    await run((await t.webhooks.announceTo(id)).deliveryId)
    const [both, one] = received.map(({ headers, body }) => ({ headers, body }))
    for (const key of [secret, old])
      new Webhook(key).verify(both?.body ?? '', both?.headers as Record<string, string>)
    expect(String(both?.headers['service-signature']).match(/v1=/g)).toHaveLength(2)
    expect(String(one?.headers['service-signature']).match(/v1=/g)).toHaveLength(1)
  })

  it('keeps the first 16 KiB of an endless response', async () => {
    receiver.respond = (response) => {
      const more = () => response.write('é'.repeat(50_000))
      response.on('drain', more)
      more()
    }
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    expect(await run(deliveryId)).toMatchObject({ outcome: 'delivered' })
    const [attempt] = await t.webhooks.attempts(deliveryId)
    expect(attempt?.responseBody).toBe('é'.repeat(8192))
    expect(attempt?.durationMs).toBeLessThan(15_000)
  })

  it('does not update a healthy endpoint row within a minute, then records the success', async () => {
    const { id } = await t.webhooks.addEndpoint(t.url)
    const before = await t.webhooks.endpoint(id)
    await run((await t.webhooks.announceTo(id)).deliveryId)
    expect((await t.webhooks.endpoint(id)).lastSuccessAt).toEqual(before.lastSuccessAt)
    await t.webhooks.execute(
      `update webhook_endpoint set last_success_at = now() - interval '2 minutes' where id = ?`,
      [id],
    )
    await run((await t.webhooks.announceTo(id)).deliveryId)
    expect(Date.now() - (await t.webhooks.endpoint(id)).lastSuccessAt.getTime()).toBeLessThan(
      30_000,
    )
  })
})
