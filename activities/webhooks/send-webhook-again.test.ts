import type { ServerResponse } from 'node:http'
import { MockActivityEnvironment } from '@temporalio/testing'
import { describe, expect, it } from 'vitest'
import { setUpAttemptFixture } from '../../test/fixtures/webhooks.ts'
import { occupyThreadPool } from '../../test/infrastructure/thread-pool.ts'
import { until } from '../../test/infrastructure/wait-for.ts'
import { createSendWebhook } from './send-webhook.ts'

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
    receiver.respond = (response) => void response.writeHead(500).end()
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
    receiver.respond = (response) =>
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
    receiver.respond = (response) => void response.writeHead(500).end()
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

  it('that is requested early delays the scheduled one if the receiver asks for it', async () => {
    receiver.respond = (response) => void response.writeHead(503).end()
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    await run(deliveryId)
    const { nextRetryAt } = await t.webhooks.delivery(deliveryId)
    for (const [number, seconds] of [2, 3].entries()) {
      receiver.respond = (response) =>
        void response.writeHead(429, { 'retry-after': String(seconds) }).end()
      await run(deliveryId, { number: number + 2, trigger: 'manual' })
      expect(await t.webhooks.delivery(deliveryId)).toMatchObject({ nextRetryAt })
    }
    receiver.respond = (response) => void response.writeHead(429, { 'retry-after': '900' }).end()
    const told = await run(deliveryId, { number: 4, trigger: 'manual' })
    expect((told as { waitMs: number }).waitMs).toBeGreaterThan(880_000)
    expect((told as { waitMs: number }).waitMs).toBeLessThanOrEqual(900_000)
  })

  it('that is requested when the scheduled one is due counts as scheduled', async () => {
    receiver.respond = (response) => void response.writeHead(500).end()
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
    receiver.respond = (response) => void response.writeHead(500).end()
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    await run(deliveryId)
    receiver.respond = (response) => void response.end()
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
    receiver.respond = (response) => void setTimeout(() => response.writeHead(500).end(), 200)
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
    receiver.respond = () => {}
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    const environment = new MockActivityEnvironment()
    const send = createSendWebhook({ ...t.webhooks, egress: t.network.egress() })
    const attempt = environment.run(send as never, { deliveryId, number: 1, trigger: 'schedule' })
    setTimeout(() => environment.cancel(), 300)
    await expect(attempt).rejects.toMatchObject({ code: 'aborted' })
    expect(await t.webhooks.attempts(deliveryId)).toHaveLength(0)
    receiver.respond = (response) => void response.end()
    expect(await run(deliveryId)).toMatchObject({ outcome: 'delivered' })
  })

  it('is recorded after a short outage of the database, and is not sent again', async () => {
    const { id } = await t.webhooks.addEndpoint(t.url)
    const { deliveryId } = await t.webhooks.announceTo(id)
    receiver.respond = (response) => void setTimeout(() => response.end(), 200)
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

describe('attempts at the same time', () => {
  /** A receiver that responds only when it is released, and what makes attempts with at most three in flight to it. */
  function openSlowReceiver(options: { endpointWaitMs?: number } = {}) {
    const held: ServerResponse[] = []
    receiver.respond = (response) => void held.push(response)
    const egress = t.network.egress()
    const limits = { attemptsAtEndpoint: 3, webhookDeadlineMs: 30_000, ...options }
    const send = createSendWebhook({ ...t.webhooks, egress, ...limits })
    return {
      held,
      start: (deliveryId: number, environment = new MockActivityEnvironment()) =>
        environment.run(send as never, { deliveryId, number: 1, trigger: 'schedule' }),
      releaseAll: () => {
        receiver.respond = (response) => void response.end()
        for (const response of held.splice(0)) response.end()
      },
    }
  }
  const announce = async (endpointId: number, count: number) => {
    const ids: number[] = []
    for (let made = 0; made < count; made += 1)
      ids.push((await t.webhooks.announceTo(endpointId)).deliveryId)
    return ids
  }

  it('to one endpoint are limited, and the others follow in their order; other endpoints are not delayed', async () => {
    const slow = openSlowReceiver()
    const { id } = await t.webhooks.addEndpoint(t.url)
    const ids = await announce(id, 8)
    const attempts = ids.map((deliveryId) => slow.start(deliveryId))
    await until(() => slow.held.length === 3)
    const other = await t.webhooks.addEndpoint(`${t.url}&other`)
    const beside = slow.start((await t.webhooks.announceTo(other.id)).deliveryId)
    await until(() => slow.held.length === 4)
    expect(received.filter(({ url }) => !url.endsWith('other'))).toHaveLength(3)
    slow.releaseAll()
    for (const attempt of [...attempts, beside])
      expect(await attempt).toMatchObject({ outcome: 'delivered' })
    expect(received).toHaveLength(9)
  })

  it('that wait for their turn too long, or whose worker stops, are not made and not counted', async () => {
    const slow = openSlowReceiver({ endpointWaitMs: 300 })
    const { id } = await t.webhooks.addEndpoint(t.url)
    const ids = await announce(id, 5)
    const [late = 0, stopped = 0] = ids.splice(3)
    const attempts = ids.map((deliveryId) => slow.start(deliveryId))
    await until(() => slow.held.length === 3)
    await expect(slow.start(late)).rejects.toMatchObject({ type: 'EndpointBusy' })
    const environment = new MockActivityEnvironment()
    const waiting = slow.start(stopped, environment)
    environment.cancel()
    await expect(waiting).rejects.toThrow()
    slow.releaseAll()
    await Promise.all(attempts)
    for (const deliveryId of [late, stopped]) {
      expect(await t.webhooks.attempts(deliveryId)).toEqual([])
      expect(await slow.start(deliveryId)).toMatchObject({ outcome: 'delivered' })
    }
    expect(received).toHaveLength(5)
  })

  it('that wait while their endpoint is disabled are not made', async () => {
    const slow = openSlowReceiver()
    const { id } = await t.webhooks.addEndpoint(t.url)
    const ids = await announce(id, 4)
    const attempts = ids.map((deliveryId) => slow.start(deliveryId))
    await until(() => slow.held.length === 3)
    await t.webhooks.execute(
      "update webhook_endpoint set is_active = false, disabled_reason = 'owner' where id = ?",
      [id],
    )
    slow.releaseAll()
    const outcomes = (await Promise.all(attempts)) as { outcome: string }[]
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual([
      'delivered',
      'delivered',
      'delivered',
      'failed',
    ])
    expect(received).toHaveLength(3)
  })
})
