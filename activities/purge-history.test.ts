import { MockActivityEnvironment } from '@temporalio/testing'
import { WorkflowNotFoundError } from '@temporalio/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createEgress } from '../egress/egress.ts'
import { openClient } from '../temporal/connect.ts'
import { deliveryWorkflowId } from '../domain/workflow-ids.ts'
import { TASK_QUEUES } from '../temporal/names.ts'
import { moveEventsSql, openWebhookFixture } from '../test/fixtures/webhooks.ts'
import type { WebhookFixture } from '../test/fixtures/webhooks.ts'
import { runWebhookWorker, startOwnTemporal } from '../test/infrastructure/own-temporal.ts'
import type { OwnTemporal } from '../test/infrastructure/own-temporal.ts'
import { createPurgeDeliveries, createPurgeExpired, createPurgeUpkeep } from './purge-history.ts'
import type { PurgeUpkeepDeps } from './purge-history.ts'
import { until } from '../test/infrastructure/wait-for.ts'

let fixture: WebhookFixture
let temporal: OwnTemporal
let endpointId: number

beforeAll(async () => {
  ;[fixture, temporal] = await Promise.all([openWebhookFixture(), startOwnTemporal()])
  endpointId = (await fixture.addEndpoint('https://hooks.example.com/')).id
})
beforeEach(() => fixture.execute('truncate webhook_delivery, event cascade'))
afterAll(() => Promise.all([fixture.close(), temporal.close()]))

const purge = (client = temporal.client) =>
  new MockActivityEnvironment().run(createPurgeDeliveries({ db: fixture.db, client }))

const purgeUpkeep = (options: Omit<PurgeUpkeepDeps, 'client'>) =>
  new MockActivityEnvironment().run(createPurgeUpkeep({ client: temporal.client, ...options }))

/** Adds a delivery that ended, or was created, `days` ago; its event is as old. */
async function oldDelivery(status: string, days: number): Promise<number> {
  const { deliveryId, eventId } = await fixture.announceTo(endpointId)
  const at = `now() - interval '${days} days'`
  const completedAt = status === 'pending' ? 'null' : at
  await fixture.execute(
    `update webhook_delivery set status = '${status}', created_at = ${at},
       completed_at = ${completedAt} where id = ${deliveryId}`,
  )
  await fixture.execute(moveEventsSql(at, 'e.id = ?'), [eventId])
  await fixture.execute(
    `insert into webhook_attempt (delivery_id, number, started_at, duration_ms, timings)
     values (${deliveryId}, 1, now(), 1, '{}')`,
  )
  return deliveryId
}

const left = async (): Promise<number[]> =>
  (await fixture.execute<{ id: number }>('select id from webhook_delivery order by id')).map(
    ({ id }) => id,
  )

const closedWorkflow = async (workflowId: string, type = 'ended'): Promise<void> => {
  const handle = await temporal.client.workflow.start(type, {
    workflowId,
    taskQueue: 'without-workers',
  })
  await handle.terminate()
}
const isThere = (workflowId: string): Promise<boolean> =>
  temporal.client.workflow
    .getHandle(workflowId)
    .describe()
    .then(
      () => true,
      (error: unknown) => {
        if (error instanceof WorkflowNotFoundError) return false
        throw error
      },
    )

describe('the retention', () => {
  it('keeps delivered deliveries 30 days, failed ones 90 days, and pending ones', async () => {
    const kept = [
      await oldDelivery('delivered', 29),
      await oldDelivery('failed', 31),
      await oldDelivery('failed', 89),
      await oldDelivery('pending', 100),
    ]
    await oldDelivery('delivered', 31)
    await oldDelivery('failed', 91)
    // The event of the failed delivery is deleted with it; the others are younger, or still referenced.
    expect(await purge()).toEqual({ deliveries: 2, events: 1 })
    expect(await left()).toEqual(kept)
    expect(await fixture.execute('select 1 from webhook_attempt')).toHaveLength(4)
    expect(await fixture.execute('select 1 from event')).toHaveLength(5)
    expect(await purge()).toEqual({ deliveries: 0, events: 0 })
  })

  it('processes more deliveries than a batch holds, also in two concurrent runs', async () => {
    const first = await oldDelivery('delivered', 40)
    await fixture.execute(
      `insert into webhook_delivery (account_id, endpoint_id, event_id, event_type, status, completed_at)
       select account_id, endpoint_id, event_id, event_type, status, completed_at
       from webhook_delivery, generate_series(1, 510) where id = ${first}`,
    )
    await Promise.all([purge(), purge()])
    expect(await left()).toEqual([])
  })

  it('keeps a delivery whose workflow it cannot delete', async () => {
    const id = await oldDelivery('delivered', 31)
    const client = openClient({ address: temporal.address, namespace: 'default' })
    await client.connection.close()
    await expect(purge(client)).rejects.toThrow()
    expect(await left()).toEqual([id])
  })

  it('deletes expired replays and expired rotated secrets', async () => {
    await fixture.execute(
      `insert into webhook_replay (account_id, since, until, status, event_count, state, completed_at)
       select ${fixture.accountId}, '2026-01-01', '2026-01-02', 'failed', 0, 'completed',
         now() - days * interval '1 day' from unnest(array[89, 91]) days`,
    )
    const secret = (hours: number) => ({
      sealed_secret: 'x',
      valid_until: new Date(Date.now() + hours * 3_600_000).toISOString(),
    })
    await fixture.execute('update webhook_endpoint set previous_secrets = ?::jsonb', [
      JSON.stringify([secret(1), secret(-1)]),
    ])
    await purge()
    expect(await fixture.execute('select 1 from webhook_replay')).toHaveLength(1)
    expect((await fixture.endpoint(endpointId)).previousSecrets).toHaveLength(1)
  })

  it('deletes devices that were not seen for 90 days, unless they are revoked', async () => {
    await fixture.execute(
      `insert into drm_device (account_id, device_id, last_seen_at, revoked_at)
       select ${fixture.accountId}, name, now() - days * interval '1 day', revoked_at from (values
         ('young', 89, null::timestamptz), ('old', 91, null), ('revoked', 91, now()))
         as d (name, days, revoked_at)`,
    )
    await purge()
    expect(
      await fixture.execute('select device_id as id from drm_device order by device_id'),
    ).toEqual([{ id: 'revoked' }, { id: 'young' }])
  })

  it('deletes keys of mobile apps that were not used for 90 days', async () => {
    await fixture.execute(
      `insert into app_attest_key (key_id, public_key, environment, last_used_at)
       select repeat(name, 64), 'x', 'production', now() - days * interval '1 day'
       from (values ('a', 89), ('b', 91)) as k (name, days)`,
    )
    await purge()
    expect(await fixture.execute('select key_id as id from app_attest_key')).toEqual([
      { id: 'a'.repeat(64) },
    ])
  })

  it('deletes the leases of viewers who have stopped playing', async () => {
    await fixture.execute(
      `insert into stream_lease (account_id, viewer_id, renewed_at)
       select ${fixture.accountId}, name, now() - seconds * interval '1 second'
       from (values ('plays', 140), ('gone', 400)) as l (name, seconds)`,
    )
    await purge()
    expect(await fixture.execute('select viewer_id as id from stream_lease')).toEqual([
      { id: 'plays' },
    ])
  })

  it('deletes completed sweeps after minutes, other closed workflows of the Schedules after a day, and those of deleted deliveries', async () => {
    const { client } = temporal
    const stop = await runWebhookWorker(temporal, fixture, createEgress())
    const taskQueue = TASK_QUEUES.webhooks
    const sweep = { taskQueue, workflowId: 'sweep-completed', args: [] }
    await client.workflow.execute('sweepOutbox', sweep)
    await stop()
    const old = deliveryWorkflowId(await oldDelivery('delivered', 31))
    const young = deliveryWorkflowId(await oldDelivery('delivered', 1))
    await Promise.all([closedWorkflow(old), closedWorkflow(young)])
    await closedWorkflow('sweep-terminated', 'sweepOutbox')
    await closedWorkflow('purge-history-1', 'purgeHistory')
    const query = `WorkflowType in ('sweepOutbox', 'purgeHistory') and ExecutionStatus != 'Running'`
    await until(async () => (await client.workflow.count(query)).count === 3)
    expect(await purgeUpkeep({ keptMs: 60 * 60_000, completedKeptMs: 60_000 })).toBe(0)
    expect(await purgeUpkeep({ completedKeptMs: 0 })).toBe(1)
    await purge()
    // The server needs about half a minute to delete a workflow that has just closed.
    for (const gone of ['sweep-completed', old])
      await until(async () => !(await isThere(gone)), 120_000)
    for (const kept of ['sweep-terminated', 'purge-history-1', young])
      expect(await isThere(kept)).toBe(true)
    await until(async () => (await client.workflow.count(query)).count === 2, 120_000)
    expect(await purgeUpkeep({ keptMs: 0 })).toBe(2)
    await until(async () => (await client.workflow.count(query)).count === 0, 120_000)
    for (const gone of ['sweep-terminated', 'purge-history-1'])
      await until(async () => !(await isThere(gone)), 120_000)
    expect(await isThere(young)).toBe(true)
  }, 300_000)

  it('deletes responses of Idempotency-Keys after 24 hours, in batches, and safely twice', async () => {
    const purgeKeys = () => new MockActivityEnvironment().run(createPurgeExpired(fixture))
    await fixture.execute(
      `insert into idempotency_record (account_id, route, key, fingerprint, locked_until, created_at)
       select ${fixture.accountId}, 'POST /v1/videos', n::text, '', now(),
         now() - interval '24 hours' + (case when n <= 2500 then -1 else 1 end) * interval '1 minute'
       from generate_series(1, 2503) n`,
    )
    expect(await purgeKeys()).toBe(2500)
    expect(await purgeKeys()).toBe(0)
    expect(await fixture.execute('select key from idempotency_record')).toHaveLength(3)
  })

  it('deletes guesses of sign-ins whose window has ended', async () => {
    await fixture.execute(
      `insert into sign_in_guess (key, points, expire) values ('ended', 5, ?), ('running', 5, ?)`,
      [Date.now() - 1, Date.now() + 60_000],
    )
    expect(await new MockActivityEnvironment().run(createPurgeExpired(fixture))).toBe(1)
    expect(await fixture.execute('select key from sign_in_guess')).toEqual([{ key: 'running' }])
  })

  it('deletes the sessions of the dashboard that have ended', async () => {
    await fixture.execute(`insert into member (id, email) values (1, 'owner@site.example')`)
    await fixture.execute(
      `insert into dashboard_session (token_hash, member_id, ip, agent, created_at, last_seen_at) values
       ('open', 1, '', '', now() - interval '29 days', now() - interval '6 days'),
       ('idle', 1, '', '', now() - interval '8 days', now() - interval '7 days 1 minute'),
       ('old', 1, '', '', now() - interval '30 days 1 minute', now())`,
    )
    expect(await new MockActivityEnvironment().run(createPurgeExpired(fixture))).toBe(2)
    expect(await fixture.execute('select token_hash from dashboard_session')).toEqual([
      { token_hash: 'open' },
    ])
  })
})
