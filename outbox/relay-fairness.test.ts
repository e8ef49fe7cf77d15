import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { setUpRelayFixture } from '../test/fixtures/relay.ts'
import { until } from '../test/infrastructure/wait-for.ts'

const ATTEMPTS_IN_FLIGHT = 10
/** A fifth of the slots (`activities/webhooks/fair-slots.ts`). */
const AT_ONE_ENDPOINT = 2
/** More than a worker runs at the same time. */
const HANGING_DELIVERIES = 100

const t = setUpRelayFixture({ attemptsInFlight: ATTEMPTS_IN_FLIGHT, webhookDeadlineMs: 35_000 })

/** A receiver that accepts every request and responds to none until the test releases it. */
async function openTarpit() {
  const held = new Set<ServerResponse>()
  const tarpit = { most: 0, seen: 0, isOpen: false, url: '', respondToAll: () => {} }
  const server = await t.network.serveHttps(['tarpit.test'], (_request, response) => {
    tarpit.seen += 1
    if (tarpit.isOpen) return void response.end()
    held.add(response)
    response.once('close', () => held.delete(response))
    tarpit.most = Math.max(tarpit.most, held.size)
  })
  t.network.dns.set('tarpit.test', ['127.0.0.1'])
  tarpit.url = `https://tarpit.test:${server.port}/`
  tarpit.respondToAll = () => {
    tarpit.isOpen = true
    for (const response of held) response.end()
  }
  return tarpit
}

describe('an endpoint that hangs', () => {
  it('delays neither another endpoint of its account nor another account', async () => {
    const tarpit = await openTarpit()
    const hanging = (await t.webhooks.addEndpoint(tarpit.url)).id
    const other = await t.webhooks.addAccount()
    const [{ url }] = [await t.webhooks.endpoint(t.endpointId)]
    const foreign = (await t.webhooks.addEndpoint(url, { accountId: other })).id
    const held: number[] = []
    for (let count = 0; count < HANGING_DELIVERIES; count += 1)
      held.push((await t.webhooks.announceTo(hanging)).deliveryId)
    await t.startRelay()
    await until(t.isDone, 60_000)
    await until(() => tarpit.seen >= AT_ONE_ENDPOINT)

    const ids: number[] = []
    for (let count = 0; count < 5; count += 1) {
      ids.push((await t.webhooks.announceTo(t.endpointId)).deliveryId)
      ids.push((await t.webhooks.announceTo(foreign, 'video.ready', other)).deliveryId)
    }
    for (const id of ids) await until(() => t.isDelivered(id), 30_000)
    expect(tarpit.most).toBeLessThanOrEqual(AT_ONE_ENDPOINT)

    tarpit.respondToAll()
    const delivered = async () =>
      (await Promise.all(held.map((id) => t.isDelivered(id)))).filter(Boolean).length
    await until(async () => (await delivered()) > AT_ONE_ENDPOINT, 90_000)
    // Waiting for a slot is not an attempt.
    for (const id of held) expect((await t.webhooks.attempts(id)).length).toBeLessThanOrEqual(1)
  }, 240_000)
})
