import { describe, expect, it } from 'vitest'
import { disableEndpoint } from '../../commands/webhooks/disable-endpoint.ts'
import { setUpAttemptFixture } from '../../test/fixtures/webhooks.ts'
import { until } from '../../test/infrastructure/wait-for.ts'

const t = setUpAttemptFixture()
const { receiver, received, run, runTwice } = t

const switchOff = (endpointId: number): Promise<boolean> =>
  t.webhooks.db.em
    .fork()
    .transactional((tx) =>
      disableEndpoint(tx, { accountId: t.webhooks.accountId, endpointId, reason: 'owner' }),
    )

describe('an endpoint', () => {
  it('that is inactive receives nothing: its waiting delivery ends as endpoint_disabled', async () => {
    const { id } = await t.webhooks.addEndpoint(t.url, { isActive: false })
    const { deliveryId } = await t.webhooks.announceTo(id)
    expect(await runTwice(deliveryId)).toMatchObject({ outcome: 'failed' })
    expect(received).toHaveLength(0)
    expect(await t.webhooks.delivery(deliveryId)).toMatchObject({
      status: 'failed',
      errorCode: 'endpoint_disabled',
      attemptCount: 0,
      completedAt: expect.any(Date),
    })
  })

  it('that is inactive still receives webhook.test', async () => {
    const { id } = await t.webhooks.addEndpoint(t.url, { isActive: false })
    const { deliveryId } = await t.webhooks.announceTo(id, 'webhook.test')
    expect(await run(deliveryId)).toMatchObject({ outcome: 'delivered' })
    expect(received[0]?.headers['service-event-type']).toBe('webhook.test')
  })

  it('that responds with 410 is disabled immediately, with its waiting deliveries, and its owner gets an event', async () => {
    const watcher = await t.webhooks.addEndpoint(t.url)
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    const waiting = await t.webhooks.announceTo(id)
    const test = await t.webhooks.announceTo(id, 'webhook.test')
    receiver.respond = (response) => void response.writeHead(410).end()
    expect(await runTwice(deliveryId)).toMatchObject({ outcome: 'failed' })
    expect(await t.webhooks.endpoint(id)).toMatchObject({ isActive: false, failureCount: 1 })
    expect(await t.webhooks.delivery(deliveryId)).toMatchObject({
      status: 'failed',
      errorCode: 'http_error',
      attemptCount: 1,
    })
    expect(await t.webhooks.delivery(waiting.deliveryId)).toMatchObject({
      status: 'failed',
      errorCode: 'endpoint_disabled',
    })
    expect(await t.webhooks.delivery(test.deliveryId)).toMatchObject({ status: 'pending' })
    const events = await t.webhooks.execute<{ id: number; details: object }>(
      `select id, details from security_event where event_type = 'webhook_endpoint_disabled'
       and (details->>'endpoint_id')::bigint = ${id}`,
    )
    expect(events).toHaveLength(1)
    expect(events[0]?.details).toEqual({ endpoint_id: id, failure_count: 1, reason: 'gone' })
    const told = await t.webhooks.execute<{ endpointId: number }>(
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
      receiver.respond = (response) => void response.writeHead(500).end()
      const lastSuccessAt = new Date(Date.now() - days * 86_400_000)
      const { id } = await t.webhooks.addEndpoint(t.url, { failureCount, lastSuccessAt })
      const { deliveryId } = await t.webhooks.announceTo(id)
      const { outcome } = await runTwice(deliveryId)
      expect(outcome).toBe(isActive ? 'retry' : 'failed')
      expect(await t.webhooks.endpoint(id)).toMatchObject({
        isActive,
        failureCount: failureCount + 1,
      })
      expect(await t.webhooks.delivery(deliveryId)).toMatchObject(
        isActive
          ? { status: 'pending', errorCode: 'http_error' }
          : { status: 'failed', errorCode: 'endpoint_disabled' },
      )
    },
  )

  it('that is disabled during a successful request still gets its delivery recorded as delivered', async () => {
    receiver.respond = (response) => void setTimeout(() => response.end(), 300)
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    const attempt = run(deliveryId)
    await until(() => received.length === 1)
    await switchOff(id)
    expect(await t.webhooks.delivery(deliveryId)).toMatchObject({ status: 'failed' })
    expect(await attempt).toMatchObject({ outcome: 'delivered' })
    expect(await t.webhooks.delivery(deliveryId)).toMatchObject({
      status: 'delivered',
      errorCode: null,
    })
  })

  it('that is disabled during a failing request gets no further attempt', async () => {
    receiver.respond = (response) => void setTimeout(() => response.writeHead(500).end(), 300)
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    const attempt = run(deliveryId)
    await until(() => received.length === 1)
    await switchOff(id)
    expect(await attempt).toMatchObject({ outcome: 'retry' })
    expect(await run(deliveryId, { number: 2 })).toMatchObject({ outcome: 'failed' })
    expect(received).toHaveLength(1)
    expect(await t.webhooks.attempts(deliveryId)).toMatchObject([
      { number: 1, responseStatus: 500 },
    ])
  })
})
