import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withDeps } from '../activities/deps.ts'
import { removeAccount } from '../activities/upkeep/remove-account.ts'
import { clearEndpoint } from '../activities/webhooks/clear-endpoint.ts'
import { deleteAccount } from '../commands/accounts/delete-account.ts'
import { claimDueRequests, deleteRequests } from '../db/outbox/write-workflow-requests.ts'
import { findDeliveryToSend } from '../db/webhooks/deliveries.ts'
import type { EndpointStep } from '../domain/webhooks/webhook-delivery.ts'
import { deliveryWorkflowId, endpointWorkflowId } from '../domain/workflow-ids.ts'
import { createEgress } from '../egress/egress.ts'
import { executeRequest } from '../outbox/execute-request.ts'
import { DEFAULT_NAMESPACES } from '../scripts/temporal-namespace.ts'
import { setUpApiFixture } from './fixtures/api.ts'
import { itOfAll } from './infrastructure/every-case.ts'
import {
  runWebhookWorker,
  startOwnTemporal,
  targetsOf,
  type OwnTemporal,
} from './infrastructure/own-temporal.ts'
import { installQuietRuntime } from './infrastructure/quiet-runtime.ts'
import { waitFor } from './infrastructure/wait-for.ts'

const t = setUpApiFixture()
const { call } = t
const PATH = '/v1/webhook-endpoints'
let temporal: OwnTemporal
let stopWorker = async (): Promise<void> => {}

beforeAll(async () => {
  installQuietRuntime()
  temporal = await startOwnTemporal()
  stopWorker = await runWebhookWorker(temporal, t, createEgress(), { endpointBatchRows: 50 })
})
afterAll(async () => {
  await stopWorker()
  await temporal.close()
})

const execute = <T>(sql: string, parameters: unknown[] = []): Promise<T[]> =>
  t.db.em.fork().execute<T[]>(sql, parameters)

/** Adds an endpoint with `count` deliveries, each with an attempt, all delivered or all waiting. */
async function addEndpoint(
  count: number,
  status: 'delivered' | 'pending',
  { key = t.ours.key, events = ['video.ready'] } = {},
): Promise<number> {
  const body = { url: `${t.outside.baseUrl}/hook`, events }
  const id = Number((await call('POST', PATH, { body, key })).json.id)
  await call('POST', `${PATH}/${id}/test`, { key })
  await execute(
    `insert into webhook_delivery (account_id, endpoint_id, event_id, event_type, status, attempt_count, completed_at, next_retry_at)
     select account_id, endpoint_id, event_id, 'video.ready', ?, 1,
       case when ? = 'delivered' then now() end, case when ? = 'pending' then now() + interval '1 hour' end
     from webhook_delivery, generate_series(1, ?) where endpoint_id = ?`,
    [status, status, status, count, id],
  )
  await execute(
    `insert into webhook_attempt (delivery_id, number, started_at, duration_ms, timings)
     select id, 1, now(), 1, '{}' from webhook_delivery where endpoint_id = ? and attempt_count = 1`,
    [id],
  )
  await execute(
    `update webhook_delivery set status = 'delivered' where event_type = 'webhook.test'`,
  )
  await execute('delete from outbox')
  return id
}

const deliveriesLeft = async (endpointId: number): Promise<number> => {
  const [row] = await execute<{ count: number }>(
    'select count(*)::int as count from webhook_delivery where endpoint_id = ?',
    [endpointId],
  )
  return row?.count ?? 0
}

const idsOf = async (endpointId: number, limit: number): Promise<number[]> => {
  const rows = await execute<{ id: number }>(
    `select id from webhook_delivery where endpoint_id = ? and event_type <> 'webhook.test'
     order by id limit ?`,
    [endpointId, limit],
  )
  return rows.map(({ id }) => id)
}

/** Hands the workflow requests over as the relay does; returns their commands. */
async function relay(): Promise<string[]> {
  const claimed = await claimDueRequests(t.db.em.fork(), 1_000, 60_000)
  for (const request of claimed) await executeRequest(targetsOf(temporal.client), request)
  if (claimed.length > 0)
    await deleteRequests(
      t.db.em.fork(),
      claimed.map(({ id }) => id),
    )
  return claimed.map(({ command }) => command)
}

/** Starts the workflows of deliveries on a queue without workers, some where the release before did. */
const startWorkflows = (ids: number[]) =>
  Promise.all(
    ids.map((id, index) =>
      (index % 2 === 0 ? temporal.deliveries : temporal.client).workflow.start('deliverWebhook', {
        workflowId: deliveryWorkflowId(id),
        taskQueue: 'without-workers',
        args: [],
      }),
    ),
  )

const listed = async (query = ''): Promise<number> => {
  const { json } = await call('GET', `/v1/webhook-deliveries?limit=100${query}`)
  return (json.data as unknown[]).length
}

/** Deletes an endpoint with `count` deliveries through the API; returns how long the response took. */
async function deleteWithDeliveries(count: number): Promise<number> {
  const kept = await addEndpoint(2, 'delivered')
  const id = await addEndpoint(count, 'delivered', { events: ['caption.ready'] })
  const ids = await idsOf(id, 5)
  await execute(
    `update webhook_delivery set status = 'pending', completed_at = null where id = any(?)`,
    [`{${ids.join(',')}}`],
  )
  const workflows = await startWorkflows(ids)
  const videoId = String((await t.create()).json.id)
  await relay()
  const caption = { language_code: 'en', label: 'English', content: 'WEBVTT\n' }
  const startedAtMs = performance.now()
  const deleting = call('DELETE', `${PATH}/${id}`).then((response) => ({
    ...response,
    durationMs: performance.now() - startedAtMs,
  }))
  const [{ durationMs, ...deletion }, meanwhile] = await Promise.all([
    deleting,
    call('POST', `/v1/videos/${videoId}/captions`, { body: caption }),
  ])
  expect(deletion.json).toEqual({ id, object: 'webhook_endpoint', deleted: true })
  expect(meanwhile.status).toBe(201)
  expect((await call('GET', `${PATH}/${id}`)).status).toBe(404)
  expect(await listed()).toBe(3)
  // And that of the caption, if it was first.
  expect(await deliveriesLeft(id)).toBeGreaterThan(count)
  expect(await relay()).toContain('settle-endpoint')
  await temporal.client.workflow.getHandle(endpointWorkflowId(id)).result()
  expect(await deliveriesLeft(id)).toBe(0)
  expect(await execute('select 1 from webhook_endpoint where id = ?', [id])).toEqual([])
  for (const workflow of workflows)
    expect((await workflow.describe()).status.name).toBe('TERMINATED')
  expect(await deliveriesLeft(kept)).toBe(3)
  await call('DELETE', `${PATH}/${kept}`)
  return durationMs
}

describe('a deleted endpoint', () => {
  it('is gone at once, and its deliveries and their workflows later, in batches', async () => {
    await deleteWithDeliveries(1_200)
  }, 120_000)

  it('and its deleted account are removed at the same time', async () => {
    const { id: accountId, key } = await t.makeAccount()
    const id = await addEndpoint(400, 'pending', { key })
    await call('DELETE', `${PATH}/${id}`, { key })
    await t.db.em.fork().transactional((tx) => deleteAccount(tx, accountId))
    const deps = {
      db: t.db,
      client: temporal.client,
      deliveriesNamespace: DEFAULT_NAMESPACES.deliveries,
      endpointBatchRows: 20,
    }
    const clear = withDeps(deps, clearEndpoint)
    const clearAll = async () => {
      for (let outcome = 'more'; outcome !== 'ended';)
        ({ outcome } = (await new MockActivityEnvironment().run(clear, {
          endpointId: id,
        })) as EndpointStep)
    }
    const remove = () =>
      new MockActivityEnvironment().run(withDeps(deps, removeAccount), { accountId })
    await Promise.all([clearAll(), remove(), clearAll(), remove()])
    expect(await execute('select 1 from account where id = ?', [accountId])).toEqual([])
    await relay()
    await temporal.client.workflow.getHandle(endpointWorkflowId(id)).result()
  })

  itOfAll(
    'with 200,000 deliveries is gone within a second, while a caption is accepted',
    async () => {
      expect(await deleteWithDeliveries(200_000)).toBeLessThan(1_000)
    },
    3_600_000,
  )
})

describe('a disabled endpoint', () => {
  it('sends none of its many waiting deliveries; they end in batches, also if it is active again', async () => {
    const id = await addEndpoint(600, 'pending')
    const patch = (body: object) => call('PATCH', `${PATH}/${id}`, { body })
    const statuses = async () =>
      Object.fromEntries(
        (
          await execute<{ status: string; count: number }>(
            `select status || coalesce(' ' || error_code, '') as status, count(*)::int as count
             from webhook_delivery where endpoint_id = ? and event_type <> 'webhook.test' group by 1`,
            [id],
          )
        ).map(({ status, count }) => [status, count]),
      )
    await patch({ is_active: false })
    expect(await statuses()).toEqual({ 'failed endpoint_disabled': 500, pending: 100 })
    await patch({ is_active: true })
    const waiting = (await idsOf(id, 600)).at(-1)
    const sent = await findDeliveryToSend(t.db.em.fork(), waiting ?? 0)
    expect(sent).toMatchObject({ status: 'pending', isActive: false })
    const retry = await call('POST', `/v1/webhook-deliveries/${waiting}/retry`)
    expect(retry.json).toMatchObject({ status: 'pending', retry_of: waiting })
    await execute('delete from webhook_delivery where id = ?', [retry.json.id])
    await waitFor('the end of the deliveries', async () => {
      await relay()
      return (
        (await execute('select 1 from webhook_endpoint where cut_off_at is not null')).length === 0
      )
    })
    expect(await statuses()).toEqual({ 'failed endpoint_disabled': 600 })
    await call('DELETE', `${PATH}/${id}`)
  }, 60_000)
})
