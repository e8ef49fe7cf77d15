import { MockActivityEnvironment } from '@temporalio/testing'
import { describe, expect, it } from 'vitest'
import { setUpAttemptFixture } from '../test/fixtures/webhooks.ts'
import { createSendWebhook } from './send-webhook.ts'
import { occupyThreadPool } from '../test/infrastructure/thread-pool.ts'
import { until } from '../test/infrastructure/wait-for.ts'

const t = setUpAttemptFixture()
const { receiver, received, run, runTwice } = t

describe('an attempt', () => {
  it('is not made for a delivery deleted with its endpoint', async () => {
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    await t.webhooks.execute('delete from webhook_endpoint where id = ?', [id])
    expect(await runTwice(deliveryId)).toEqual({ outcome: 'gone' })
    expect(received).toHaveLength(0)
  })

  it('returns the next attempt and the remaining wait to a second workflow', async () => {
    receiver.answer = (response) => void response.writeHead(500).end()
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    await run(deliveryId)
    await run(deliveryId, { number: 2 })
    const told = await run(deliveryId, { number: 1 })
    expect(told).toMatchObject({ outcome: 'retry', nextNumber: 3 })
    expect(told).toMatchObject({ waitMs: expect.any(Number) })
    expect((told as { waitMs: number }).waitMs).toBeGreaterThan(290_000)
    expect((told as { waitMs: number }).waitMs).toBeLessThanOrEqual(300_000)
    expect(received).toHaveLength(2)
  })

  it('returns the status, the code and the duration, and no text of the receiver', async () => {
    receiver.answer = (response) =>
      void response.writeHead(503, { 'x-secret': 'hush' }).end('secret body')
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    const made = await run(deliveryId)
    expect(made).toEqual({
      outcome: 'retry',
      nextNumber: 2,
      waitMs: 60_000,
      answer: {
        attempt: 1,
        responseStatus: 503,
        errorCode: 'http_error',
        durationMs: expect.any(Number),
      },
    })
    expect((await run(deliveryId)).answer).toEqual(made.answer)
  })

  it('that is requested early leaves the five scheduled attempts and their times unchanged', async () => {
    receiver.answer = (response) => void response.writeHead(500).end()
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    await run(deliveryId)
    const { nextRetryAt } = await t.webhooks.delivery(deliveryId)
    for (const number of [2, 3]) {
      const asked = await runTwice(deliveryId, { number, trigger: 'manual' })
      expect(asked).toMatchObject({ outcome: 'retry', nextNumber: number + 1 })
      expect((asked as { waitMs: number }).waitMs).toBeGreaterThan(50_000)
      expect(await t.webhooks.delivery(deliveryId)).toMatchObject({
        status: 'pending',
        attemptCount: number,
        nextRetryAt,
      })
    }
    for (const [number, waitMs] of [300_000, 1_800_000, 7_200_000].entries())
      expect(await run(deliveryId, { number: number + 4 })).toMatchObject({ waitMs })
    expect(await run(deliveryId, { number: 7 })).toMatchObject({ outcome: 'failed' })
    const attempts = await t.webhooks.attempts(deliveryId)
    expect(attempts.map(({ trigger }) => trigger)).toEqual([
      'schedule',
      'manual',
      'manual',
      'schedule',
      'schedule',
      'schedule',
      'schedule',
    ])
    expect(await t.webhooks.endpoint(id)).toMatchObject({ failureCount: 7 })
  })

  it('that is requested when the scheduled one is due counts as scheduled', async () => {
    receiver.answer = (response) => void response.writeHead(500).end()
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    await run(deliveryId)
    await t.webhooks.execute('update webhook_delivery set next_retry_at = now() where id = ?', [
      deliveryId,
    ])
    expect(await run(deliveryId, { number: 2, trigger: 'manual' })).toMatchObject({
      waitMs: 300_000,
    })
    expect((await t.webhooks.attempts(deliveryId))[1]).toMatchObject({ trigger: 'schedule' })
  })

  it('that is requested and succeeds ends the delivery', async () => {
    receiver.answer = (response) => void response.writeHead(500).end()
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    await run(deliveryId)
    receiver.answer = (response) => void response.end()
    expect(await run(deliveryId, { number: 2, trigger: 'manual' })).toMatchObject({
      outcome: 'delivered',
    })
    expect(await t.webhooks.delivery(deliveryId)).toMatchObject({
      status: 'delivered',
      attemptCount: 2,
      nextRetryAt: null,
    })
  })

  it('is never skipped: a number ahead of the row gets the number of the row', async () => {
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    expect(await run(deliveryId, { number: 4 })).toEqual({
      outcome: 'retry',
      nextNumber: 1,
      waitMs: 0,
    })
    expect(received).toHaveLength(0)
  })

  it('that two workers make at the same time is recorded once', async () => {
    receiver.answer = (response) => void setTimeout(() => response.writeHead(500).end(), 200)
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    const results = await Promise.all([run(deliveryId), run(deliveryId)])
    expect(received).toHaveLength(2)
    expect(results.map(({ outcome }) => outcome)).toEqual(['retry', 'retry'])
    expect(await t.webhooks.attempts(deliveryId)).toHaveLength(1)
    expect(await t.webhooks.delivery(deliveryId)).toMatchObject({ attemptCount: 1 })
    expect(await t.webhooks.endpoint(id)).toMatchObject({ failureCount: 1 })
  })

  it('that a stopping worker aborts is not recorded, and is repeated', async () => {
    receiver.answer = () => {}
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    const environment = new MockActivityEnvironment()
    const send = createSendWebhook({ ...t.webhooks, egress: t.network.egress() })
    const attempt = environment.run(send as never, { deliveryId, number: 1, trigger: 'schedule' })
    setTimeout(() => environment.cancel(), 300)
    await expect(attempt).rejects.toMatchObject({ code: 'aborted' })
    expect(await t.webhooks.attempts(deliveryId)).toHaveLength(0)
    receiver.answer = (response) => void response.end()
    expect(await run(deliveryId)).toMatchObject({ outcome: 'delivered' })
  })

  it('is recorded after a short outage of the database, and is not sent again', async () => {
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    receiver.answer = (response) => void setTimeout(() => response.end(), 200)
    const attempt = run(deliveryId)
    await until(() => received.length === 1)
    await t.webhooks.execute('alter table webhook_attempt rename to hidden')
    setTimeout(() => void t.webhooks.execute('alter table hidden rename to webhook_attempt'), 500)
    expect(await attempt).toMatchObject({ outcome: 'delivered' })
    expect(received).toHaveLength(1)
  })

  it('for which this process has no capacity is not made and not counted', async () => {
    const { id } = await t.webhooks.addEndpoint('https://hooks.invalid/')
    const { deliveryId } = await t.webhooks.announceTo(id)
    const egress = t.network.egress({ dnsServers: [] })
    const send = createSendWebhook({ ...t.webhooks, egress, webhookLookupDeadlineMs: 200 })
    // The lookups of the system run in the thread pool, so the attempt waits for them.
    const threads = occupyThreadPool()
    const before = ['a', 'b'].map((name) =>
      egress
        .request({ url: `https://${name}.invalid/`, method: 'GET', deadlineMs: 30_000 })
        .catch(() => {}),
    )
    const attempt = new MockActivityEnvironment().run(send as never, {
      deliveryId,
      number: 1,
      trigger: 'schedule',
    })
    try {
      await expect(attempt).rejects.toMatchObject({ type: 'EndpointBusy' })
    } finally {
      await threads.release()
    }
    expect(await t.webhooks.attempts(deliveryId)).toEqual([])
    expect(await t.webhooks.delivery(deliveryId)).toMatchObject({
      status: 'pending',
      attemptCount: 0,
    })
    await Promise.all(before)
  })

  it('that could not be recorded is repeated under the same number', async () => {
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    await t.webhooks.execute('alter table webhook_attempt rename timings to hidden')
    await expect(run(deliveryId)).rejects.toThrow('timings')
    await t.webhooks.execute('alter table webhook_attempt rename hidden to timings')
    expect(await run(deliveryId)).toMatchObject({ outcome: 'delivered' })
    expect(received).toHaveLength(2)
    expect(await t.webhooks.attempts(deliveryId)).toMatchObject([{ number: 1 }])
  })

  it('fails without a secret in its message if the master key is wrong', async () => {
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    await t.webhooks.execute(`update webhook_endpoint set sealed_secret = 'v9.x' where id = ?`, [
      id,
    ])
    await expect(run(deliveryId)).rejects.toThrow('a sealed value has an unknown form')
    expect(await t.webhooks.delivery(deliveryId)).toMatchObject({
      status: 'pending',
      attemptCount: 0,
    })
  })
})
