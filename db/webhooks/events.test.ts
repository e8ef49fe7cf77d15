import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { appendEvent } from '../../commands/events.ts'
import { appendReplayBatch } from '../../commands/webhooks/append-replay-batch.ts'
import { replaySettled } from '../../test/fixtures/replays.ts'
import { createTestDatabase, type TestDatabase } from '../../test/infrastructure/services.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { withClient } from '../../test/infrastructure/with-client.ts'
import { exampleOf } from '../../views/webhooks/event-type.ts'
import { insertAccount } from '../accounts/write-accounts.ts'
import { openDatabase, type Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import { listEvents } from './events.ts'
import { insertReplay } from './write-webhook-replays.ts'

const BEFORE = 'migration-20261121000000-api-resources'
const ACCOUNT = { name: 'Test', protection: 'clearkey', storageLimitBytes: null } as const
let database: TestDatabase
let db: Database

beforeEach(async () => {
  database = await createTestDatabase()
  db = await openDatabase({ url: database.url })
})
afterEach(async () => {
  await db.close(true)
  await database.drop()
})

const makeAccount = () =>
  insertAccount(db.em.fork(), { ...ACCOUNT, sealSigningSecret: () => 'sealed' })

const append = (accountId: number) =>
  appendEvent(db.em.fork(), { accountId, type: 'video.ready', data: exampleOf('video.ready').data })

const idsOf = async (accountId: number) => {
  const page = await listEvents(db.em.fork(), { accountId }, { limit: 100 })
  return page.rows.map(({ body }) => (JSON.parse(body) as { id: string }).id)
}

/** As pg_restore leaves it: the rows name the server that the dump was made on. */
const restoreElsewhere = () =>
  db.em.fork().execute(`update database_server set identifier = 'of the other server'`)

/** Waits until the transactions of other tests on the same server have ended: until then new events are hidden. */
const shown = (accountId: number, id: string) =>
  waitFor('the event', async () => (await idsOf(accountId)).includes(id))

describe('the order of events', () => {
  it('follows the creation times of events from before the migration', async () => {
    await db.em.fork().execute('drop schema public cascade; create schema public')
    await db.migrator.up({ to: BEFORE })
    // As SQL: the entity has columns of later migrations.
    const [{ id: accountId }] = await db.em
      .fork()
      .execute<[{ id: number }]>(
        `insert into account (name, settings, sealed_signing_secret) values ('Old', '{}', '') returning id`,
      )
    const idAt = (minute: number) => `evt_${String(99 - minute).padStart(32, '0')}`
    for (const minute of [20, 10, 30]) {
      const created_at = `2026-11-20T10:${minute}:00.000+00:00`
      const event = { ...exampleOf('video.ready'), id: idAt(minute), created_at }
      await db.em
        .fork()
        .execute(
          'insert into event (id, account_id, type, body, created_at) values (?, ?, ?, ?, ?)',
          [event.id, accountId, event.type, JSON.stringify(event), created_at],
        )
    }
    await migrate(database.url)
    expect(await idsOf(accountId)).toEqual([30, 20, 10].map(idAt))
    const next = await append(accountId)
    await shown(accountId, next)
    expect(await idsOf(accountId)).toEqual([next, ...[30, 20, 10].map(idAt)])
  })

  it('survives a restore into a server that has counted fewer transactions', async () => {
    const accountId = await makeAccount()
    const ids = [await append(accountId), await append(accountId)]
    await shown(accountId, ids[1] ?? '')
    await db.em
      .fork()
      .execute(`update event set transaction_id = (number + 1000000000000)::text::xid8`)
    expect(await idsOf(accountId)).toEqual([])
    await restoreElsewhere()
    await migrate(database.url)
    const next = await append(accountId)
    await shown(accountId, next)
    expect(await idsOf(accountId)).toEqual([next, ...ids.toReversed()])
  })

  it('lets a replay of that backup end with the restored events', async () => {
    const accountId = await makeAccount()
    await append(accountId)
    const { replay } = await insertReplay(db.em.fork(), {
      accountId,
      endpointId: null,
      since: new Date(0),
      until: new Date('2998-01-01T00:00:00Z'),
      status: 'failed',
    })
    await db.em.fork().execute(`update event set transaction_id = '1000000000000'`)
    await db.em.fork().execute(`update webhook_replay set end_transaction_id = '1000000000001'`)
    await restoreElsewhere()
    await migrate(database.url)
    await replaySettled(db.em.fork(), replay.id)
    const batch = await appendReplayBatch(db.em.fork(), replay.id, { events: 10, waiting: 10 })
    expect(batch).toMatchObject({ outcome: 'ended', scannedCount: 1 })
  })

  it('is unchanged by a start on the original server, which reads no event', async () => {
    const accountId = await makeAccount()
    await append(accountId)
    const rows = () => db.em.fork().execute('select * from event')
    const before = await rows()
    await migrate(database.url)
    expect(await rows()).toEqual(before)
    await withClient(database.url, async (client) => {
      await client.query('begin; lock table event in access exclusive mode')
      await migrate(database.url)
      await client.query('rollback')
    })
  })
})
