import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmptyDatabase, type EmptyDatabase } from '../../test/fixtures/empty-database.ts'
import { createTestDatabase, type TestDatabase } from '../../test/infrastructure/services.ts'
import { openDatabase, type Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import { PartitionedDeliveries } from '../migrations/migration-20261221100000-partitioned-deliveries.ts'
import { PartitionedEvents } from '../migrations/migration-20261221110000-partitioned-events.ts'
import { dropOldDeliveries } from '../partitions/old-deliveries.ts'
import { applyMigrations } from '../schema/apply-migrations.ts'
import { runSteps } from '../schema/run-steps.ts'
import { step, type Step } from '../schema/step-migration.ts'
import { findExpiredDeliveries } from '../upkeep/retention.ts'
import { deleteDeliveries } from '../upkeep/write-retention.ts'
import { listDeliveries } from './webhook-deliveries.ts'
import { findReplay } from './webhook-replays.ts'

const DELIVERIES = 'migration-20261221100000-partitioned-deliveries'
const EVENTS = 'migration-20261221110000-partitioned-events'

let server: TestDatabase
let database: EmptyDatabase
let db: Database
let accountId: number
let endpointId: number
let replayId: number
let eventCount = 0
const added: number[] = []

beforeAll(async () => {
  server = await createTestDatabase()
  database = await openEmptyDatabase(server.url)
  db = await openDatabase({ url: database.url })
  await applyMigrations(db, { to: 'migration-20261220120000-partitioned-records' })
  accountId = await insertAccount()
  endpointId = await insertRow(
    `insert into webhook_endpoint (account_id, url, events, sealed_secret)
     values (${accountId}, 'https://hooks.example/', '{video.ready}', 'x') returning id`,
  )
  replayId = await insertRow(
    `insert into webhook_replay (account_id, since, until, status, event_count)
     values (${accountId}, '2026-01-01', '2026-01-02', 'failed', 0) returning id`,
  )
})
afterAll(async () => {
  await db.close(true)
  await database.drop()
  await server.drop()
})

const em = () => db.em.fork()
const execute = <Row = unknown>(sql: string) => em().execute<Row[]>(sql)
const insertRow = async (sql: string): Promise<number> =>
  (await execute<{ id: number }>(sql))[0]?.id ?? 0

const insertAccount = () =>
  insertRow(
    `insert into account (name, settings, sealed_signing_secret) values ('Test', '{}', 'x') returning id`,
  )

/** Adds an event with a delivery of the replay, by the statements of the release before. */
async function add(): Promise<number> {
  eventCount += 1
  const eventId = `evt_${String(eventCount).padStart(32, '0')}`
  await execute(
    `insert into event (id, account_id, type, body) values ('${eventId}', ${accountId}, 'video.ready', '{}')`,
  )
  const id = await insertRow(
    `insert into webhook_delivery (account_id, endpoint_id, event_id, event_type, replay_id)
     values (${accountId}, ${endpointId}, '${eventId}', 'video.ready', ${replayId}) returning id`,
  )
  added.push(id)
  return id
}

/** Ends a delivery with an attempt, by the statements of the release before. */
async function end(id: number, status: 'delivered' | 'failed'): Promise<void> {
  await execute(
    `insert into webhook_attempt (delivery_id, number, started_at, duration_ms, timings)
     select d.id, 1, now(), 1, '{}' from webhook_delivery d where d.id = ${id} on conflict do nothing`,
  )
  await execute(
    `update webhook_delivery set status = '${status}', attempt_count = 1, completed_at = now() where id = ${id}`,
  )
}

/** Kills the migration in each step, stops it after each, and uses the tables meanwhile; then lets it end. */
async function migrateKilled(name: string, steps: Step[]): Promise<void> {
  for (const [index, one] of steps.entries()) {
    const killed: Step = {
      ...one,
      work: async (run) => {
        await one.work(run)
        await run('select pg_terminate_backend(pg_backend_pid())')
      },
    }
    const stop = step('stop', () => Promise.reject(new Error('stopped')))
    for (const last of [[killed], [one, stop]]) {
      await expect(runSteps(db, name, [...steps.slice(0, index), ...last])).rejects.toThrow(
        /terminat|stopped/,
      )
      await add()
      await end(await add(), 'delivered')
      await end(await add(), 'failed')
    }
  }
  await runSteps(db, name, steps)
}

const stepsOf = (Migration: typeof PartitionedDeliveries | typeof PartitionedEvents): Step[] =>
  new Migration(db.driver, db.config).steps()

const listAll = async (): Promise<number[]> => {
  const page = await listDeliveries(em(), { accountId }, {}, { limit: 1000 })
  expect(
    page.rows.every(({ delivery, attempts }) => attempts.length === delivery.attemptCount),
  ).toBe(true)
  return page.rows.map(({ delivery }) => delivery.id)
}

/** The tables that hold the rows, with how many. */
const places = async (table: string): Promise<Record<string, number>> => {
  const rows = await execute<{ place: string; count: number }>(
    `select regexp_replace(tableoid::regclass::text, '_p[0-9]+$', '') as place, count(*)::int as count
     from ${table} group by 1`,
  )
  return Object.fromEntries(rows.map(({ place, count }) => [place, count]))
}

describe('the migrations that partition deliveries and events', () => {
  it('continue where they were killed or stopped, beside the release before, and lose nothing', async () => {
    await end(await add(), 'delivered')
    await migrateKilled(DELIVERIES, stepsOf(PartitionedDeliveries))
    await migrateKilled(EVENTS, stepsOf(PartitionedEvents))
    await migrate(database.url)
    expect(await listAll()).toEqual(added.toSorted((a, b) => b - a))
    const deliveries = await places('webhook_delivery')
    // The statements after the last step came to the tables of now.
    expect(deliveries).toMatchObject({
      webhook_delivery_pending: deliveries.webhook_delivery_failed,
      webhook_delivery_delivered: deliveries.webhook_delivery_failed,
    })
    expect(deliveries.webhook_delivery_old).toBeGreaterThan(20)
    expect(await places('webhook_attempt')).toEqual({
      webhook_attempt_old: ((deliveries.webhook_delivery_old ?? 0) * 2 + 1) / 3,
      webhook_attempt_delivered: deliveries.webhook_delivery_delivered,
      webhook_attempt_failed: deliveries.webhook_delivery_failed,
    })
    const each = (added.length - 1) / 3
    expect((await findReplay(em(), accountId, replayId))?.deliveries).toEqual({
      pending: each,
      delivered: each + 1,
      failed: each,
    })
  })

  it('let deliveries of before end where they are, and leave when they are old', async () => {
    const [first = 0] = added.filter((_, index) => index % 3 === 1)
    await end(first, 'delivered')
    expect((await places('webhook_delivery')).webhook_delivery_old).toBeGreaterThan(20)
    expect(await dropOldDeliveries(db)).toBe(false)
    await execute(
      `update webhook_delivery set status = 'failed', completed_at = now() - interval '91 days'
       where tableoid = 'webhook_delivery_old'::regclass`,
    )
    const ids = await findExpiredDeliveries(em(), 1000)
    expect((await listAll()).filter((id) => ids.includes(id))).toEqual([])
    await deleteDeliveries(em(), ids)
    expect(await dropOldDeliveries(db)).toBe(true)
    expect(await findExpiredDeliveries(em(), 1000)).toEqual([])
    expect(await listAll()).toEqual(
      added.filter((id) => !ids.includes(id)).toSorted((a, b) => b - a),
    )
  })
})

describe('the release before', () => {
  it.each(['webhook_delivery', 'webhook_attempt', 'event', 'security_event'])(
    'cannot delete rows of %s by a ctid that rows of other partitions have too',
    async (table) => {
      await expect(
        execute(
          `delete from ${table} where ctid = any(array(select ctid from ${table} limit 10)) returning 1`,
        ),
      ).rejects.toThrow('not deleted by their ctid')
    },
  )
})
