import { WorkflowNotFoundError, type Client } from '@temporalio/client'
import { MockActivityEnvironment } from '@temporalio/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { withDeps } from '../activities/deps.ts'
import { removeDeliveries } from '../activities/upkeep/remove-deliveries.ts'
import { sweepWork } from '../activities/upkeep/sweep-work.ts'
import { claimDueRequests } from '../db/outbox/write-workflow-requests.ts'
import type { SweptPart } from '../domain/sweep.ts'
import { deliveryWorkflowId } from '../domain/workflow-ids.ts'
import { DEFAULT_NAMESPACES } from '../scripts/temporal-namespace.ts'
import { deliveryPlaces } from '../temporal/delivery-places.ts'
import { setUpRelayFixture } from '../test/fixtures/relay.ts'
import { stepsOf } from '../test/fixtures/workflow-history.ts'
import { runWebhookWorker } from '../test/infrastructure/own-temporal.ts'
import { until } from '../test/infrastructure/wait-for.ts'
import { executeRequest } from './execute-request.ts'

const t = setUpRelayFixture()
const { receiver, received } = t
const deliveriesNamespace = DEFAULT_NAMESPACES.deliveries

afterEach(() => t.webhooks.execute('delete from worker_beat'))

const refuse = () => (receiver.respond = (response) => void response.writeHead(500).end())
const accept = () => (receiver.respond = (response) => void response.end())
const attempted = (id: number, count: number) =>
  until(async () => (await t.webhooks.delivery(id)).attemptCount === count)

/** Waits until a delivery waits after so many attempts. A retry during a manual attempt has no effect. */
async function waitsAfter(client: Client, id: number, attempts: number): Promise<void> {
  const handle = client.workflow.getHandle(deliveryWorkflowId(id))
  const steps = Array.from({ length: attempts }).flatMap(() => ['activity', expect.any(Number)])
  await vi.waitFor(async () => expect(stepsOf(await handle.fetchHistory())).toEqual(steps), 40_000)
}

/** The state of a delivery's workflow in both namespaces; `none` in one without that workflow. */
const statesOf = (id: number): Promise<string[]> =>
  Promise.all([t.temporal.client, t.temporal.deliveries].map((client) => stateOf(client, id)))

async function stateOf(client: Client, id: number): Promise<string> {
  try {
    return (await client.workflow.getHandle(deliveryWorkflowId(id)).describe()).status.name
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'none'
    throw error
  }
}

/** Begins a delivery as the release before did, and waits for its failed first attempt. */
async function beginAsBefore(): Promise<number> {
  refuse()
  const { client } = t.temporal
  const { deliveryId } = await t.webhooks.announceTo(t.endpointId)
  const deliveries = deliveryPlaces(client, deliveriesNamespace, false)
  for (const request of await claimDueRequests(t.webhooks.em(), 1, 60_000))
    await executeRequest({ client, deliveries }, request)
  await t.webhooks.execute('delete from outbox')
  await attempted(deliveryId, 1)
  return deliveryId
}

/** Requests the start again, as after a relay that was killed before it deleted the row. */
async function repeatStart(id: number): Promise<void> {
  await t.append('deliver-webhook', String(id))
  await t.webhooks.execute('update outbox set attempts = 1')
  await until(t.isDone)
}

async function sweep(id: number): Promise<number> {
  await t.webhooks.execute(
    `update webhook_delivery set created_at = now() - interval '1 minute' where id = ${id}`,
  )
  const { db } = t.webhooks
  const deps = { db, client: t.temporal.client, deliveriesNamespace }
  const { requested } = (await new MockActivityEnvironment().run(
    withDeps(deps, sweepWork),
    'deliveries' as const,
  )) as SweptPart
  return requested
}

describe('a delivery that the release before began', () => {
  it('ends where it began, and is not begun again by a repeated request, by the sweep or by a retry', async () => {
    const id = await beginAsBefore()
    await t.startRelay()
    await repeatStart(id)
    expect(await sweep(id)).toBe(0)
    expect(await statesOf(id)).toEqual(['RUNNING', 'none'])
    await t.append('retry-delivery', String(id))
    await waitsAfter(t.temporal.client, id, 2)
    accept()
    await t.append('retry-delivery', String(id))
    await until(() => t.isDelivered(id))
    await until(async () => (await statesOf(id))[0] === 'COMPLETED')
    expect(await statesOf(id)).toEqual(['COMPLETED', 'none'])
    expect((await t.webhooks.attempts(id)).map(({ number }) => number)).toEqual([1, 2, 3])
    expect(received).toHaveLength(3)
  })

  it('is cancelled where it runs, and does not begin after that', async () => {
    const id = await beginAsBefore()
    await t.startRelay()
    await t.append('cancel-delivery', String(id))
    await until(async () => (await statesOf(id))[0] === 'CANCELLED')
    await repeatStart(id)
    expect(await statesOf(id)).toEqual(['CANCELLED', 'none'])
  })

  it('is terminated where it runs when its endpoint or account is deleted', async () => {
    const id = await beginAsBefore()
    const { db } = t.webhooks
    await removeDeliveries({ db, client: t.temporal.client, deliveriesNamespace }, [id])
    expect(await statesOf(id)).toEqual(['TERMINATED', 'none'])
    expect(await t.webhooks.execute('select 1 from webhook_delivery where id = ?', [id])).toEqual(
      [],
    )
  })

  it.each(['sweep', 'retry'])(
    'begins in the namespace of deliveries if it is lost, by the %s',
    async (by) => {
      const id = await beginAsBefore()
      await t.temporal.client.workflow.getHandle(deliveryWorkflowId(id)).terminate()
      accept()
      if (by === 'sweep') {
        await t.webhooks.execute(
          `update webhook_delivery set next_retry_at = now() where id = ${id}`,
        )
        expect(await sweep(id)).toBe(1)
      } else await t.append('retry-delivery', String(id))
      await t.startRelay()
      await until(() => t.isDelivered(id))
      await until(async () => (await statesOf(id))[1] === 'COMPLETED')
      expect(await statesOf(id)).toEqual(['TERMINATED', 'COMPLETED'])
      expect(received).toHaveLength(2)
    },
  )
})

describe('while a worker of the release before runs', () => {
  it('deliveries begin where it looks for them, once, and in their namespace when it is gone', async () => {
    await t.webhooks.execute(
      `insert into worker_beat (worker, queues) values ('1@old', '{encode}')`,
    )
    refuse()
    await t.startRelay()
    const { deliveryId: first } = await t.webhooks.announceTo(t.endpointId)
    await attempted(first, 1)
    expect(await statesOf(first)).toEqual(['RUNNING', 'none'])
    await t.stopRelays()
    await t.webhooks.execute(`update worker_beat set seen_at = now() - interval '1 minute'`)
    await t.webhooks.execute(
      `insert into worker_beat (worker, queues, deliveries_namespace)
       values ('1@new', '{webhooks,deliveries}', '${deliveriesNamespace}')`,
    )
    await t.startRelay()
    await repeatStart(first)
    const { deliveryId: second } = await t.webhooks.announceTo(t.endpointId)
    await attempted(second, 1)
    expect(await statesOf(second)).toEqual(['none', 'RUNNING'])
    expect(await statesOf(first)).toEqual(['RUNNING', 'none'])
    for (const id of [first, second]) await t.append('cancel-delivery', String(id))
    await until(async () => (await statesOf(second))[1] === 'CANCELLED')
    expect(received).toHaveLength(2)
  })

  it('as while two workers deliver from different namespaces', async () => {
    await t.webhooks.execute(
      `insert into worker_beat (worker, queues, deliveries_namespace) values ('1@a', '{webhooks}', 'other')`,
    )
    accept()
    await t.startRelay()
    const { deliveryId } = await t.webhooks.announceTo(t.endpointId)
    await until(() => t.isDelivered(deliveryId))
    await until(async () => (await statesOf(deliveryId))[0] === 'COMPLETED')
    expect(await statesOf(deliveryId)).toEqual(['COMPLETED', 'none'])
  })
})

describe('one namespace for all workflows', () => {
  it('has one run of each delivery, those of the release before included', async () => {
    const network = t.network.egress()
    const options = { deliveriesNamespace: DEFAULT_NAMESPACES.main }
    await t.stopWorker()
    const stop = await runWebhookWorker(t.temporal, t.webhooks, network, options)
    try {
      const before = await beginAsBefore()
      await t.startRelay(options)
      await repeatStart(before)
      const { deliveryId } = await t.webhooks.announceTo(t.endpointId)
      await attempted(deliveryId, 1)
      const queue = async (id: number) =>
        (await t.temporal.client.workflow.getHandle(deliveryWorkflowId(id)).describe()).taskQueue
      expect(await Promise.all([before, deliveryId].map(queue))).toEqual(['webhooks', 'deliveries'])
      accept()
      for (const id of [before, deliveryId]) {
        await t.append('retry-delivery', String(id))
        await until(() => t.isDelivered(id))
        await until(async () => (await statesOf(id))[0] === 'COMPLETED')
        expect(await statesOf(id)).toEqual(['COMPLETED', 'none'])
      }
      expect(received).toHaveLength(4)
    } finally {
      await t.stopRelays()
      await stop()
      await t.startWorker()
    }
  })
})
