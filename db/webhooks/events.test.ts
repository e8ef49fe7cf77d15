import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { appendEvent } from '../../commands/events.ts'
import { appendReplayBatch } from '../../commands/webhooks/append-replay-batch.ts'
import { replaySettled } from '../../test/fixtures/replays.ts'
import { runs } from '../../test/infrastructure/every-case.ts'
import { createTestDatabase, type TestDatabase } from '../../test/infrastructure/services.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { withClient } from '../../test/infrastructure/with-client.ts'
import { exampleOf } from '../../views/webhooks/event-type.ts'
import { insertAccount } from '../accounts/write-accounts.ts'
import { openDatabase, type Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import { PARTITIONS_LOCK } from '../partitions/short-locks.ts'
import { listEvents, type EventBody } from './events.ts'
import { moveWatermark, oldestOf } from './write-event-watermark.ts'
import { insertReplay } from './write-webhook-replays.ts'

const BEFORE = 'migration-20261121000000-api-resources'
const ACCOUNT = { name: 'Test', protection: 'clearkey', storageLimitBytes: null } as const
let database: TestDatabase
/** Of the same server. */
let other: TestDatabase
let db: Database

beforeAll(async () => {
  other = await createTestDatabase()
})
afterAll(() => other.drop())

beforeEach(async () => {
  database = await createTestDatabase()
  db = await openDatabase({ url: database.url })
})
afterEach(async () => {
  await db.close(true)
  await database.drop()
})

/** Of a replay. */
const RANGE = {
  endpointId: null,
  since: new Date(0),
  until: new Date('2998-01-01T00:00:00Z'),
  status: 'failed',
} as const

const makeAccount = () =>
  insertAccount(db.em.fork(), { ...ACCOUNT, sealSigningSecret: () => 'sealed' })

const append = (accountId: number) =>
  appendEvent(db.em.fork(), { accountId, type: 'video.ready', data: exampleOf('video.ready').data })

const idsOf = async (accountId: number) => {
  const page = await listEvents(db.em.fork(), { accountId }, { limit: 100 })
  return page.rows.map(idOf)
}

/** As pg_restore leaves it: the rows name the server that the dump was made on. */
const restoreElsewhere = () =>
  db.em.fork().execute(`update database_server set identifier = 'of the other server'`)
const idOf = ({ body }: EventBody) => (JSON.parse(body) as { id: string }).id

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
    const { replay } = await insertReplay(db.em.fork(), { ...RANGE, accountId })
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
      // Another process changes the partitions: alone, the start would try that for 20 s.
      await client.query(`select pg_advisory_xact_lock($1, hashtext('event'))`, [PARTITIONS_LOCK])
      await migrate(database.url)
      await client.query('rollback')
    })
  })
})

/** A transaction of another database of the server, which has an id and writes nothing here. */
async function openElsewhere(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: other.url })
  await client.connect()
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  return () => client.end()
}

const move = () => moveWatermark(db.em.fork())

describe('the watermark of events', () => {
  it('lets events appear beside an open transaction of another database', async () => {
    const accountId = await makeAccount()
    const close = await openElsewhere()
    const id = await append(accountId)
    expect(await idsOf(accountId)).toEqual([])
    await move()
    expect(await idsOf(accountId)).toEqual([id])
    await close()
  })

  it('lets a replay begin beside it', async () => {
    const accountId = await makeAccount()
    const close = await openElsewhere()
    const { replay } = await insertReplay(db.em.fork(), { ...RANGE, accountId })
    const begin = () => appendReplayBatch(db.em.fork(), replay.id, { events: 10, waiting: 10 })
    expect(await begin()).toMatchObject({ outcome: 'full' })
    await move()
    expect(await begin()).toMatchObject({ outcome: 'ended' })
    await close()
  })

  it('that a restore has copied from another server is not used', async () => {
    const accountId = await makeAccount()
    const close = await openElsewhere()
    await move()
    await db.em.fork().execute(`delete from event_watermark`)
    await db.em
      .fork()
      .execute(`insert into event_watermark values (1, '1000000000000', '1000000000001')`)
    const id = await append(accountId)
    expect(await idsOf(accountId)).toEqual([])
    await move()
    expect(await idsOf(accountId)).toEqual([id])
    await close()
  })

  it('waits for transactions of other roles, whose statements it may not see', async () => {
    const accountId = await makeAccount()
    const [close, late] = [await openElsewhere(), await openHere(accountId)]
    const id = await append(accountId)
    const role = `plain_${randomBytes(6).toString('hex')}`
    await db.em.fork().execute(`create role ${role}; grant all on event_watermark to ${role}`)
    const plain = await openDatabase({ url: database.url, poolSize: 1 })
    await plain.em.fork().execute(`set role ${role}`)
    await moveWatermark(plain.em.fork())
    expect(await idsOf(accountId)).toEqual([])
    await late.end('commit')
    await moveWatermark(plain.em.fork())
    expect(await idsOf(accountId)).toEqual([id, late.id])
    await plain.close(true)
    await db.em.fork().execute(`drop owned by ${role}; drop role ${role}`)
    await close()
  })

  it('counts ids that have passed 32 bits', () => {
    const end = 2n ** 33n + 5n
    expect(oldestOf(end, [])).toBe(end)
    expect(oldestOf(end, ['4', '4294967290', '7'])).toBe(2n ** 33n - 6n)
  })
})

/** A transaction that has written its event. */
async function openHere(accountId: number) {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('begin')
  const event = { ...exampleOf('video.ready'), id: `evt_${randomBytes(16).toString('hex')}` }
  await client.query(
    'insert into event (id, account_id, type, body, created_at) values ($1, $2, $3, $4, $5)',
    [event.id, accountId, event.type, JSON.stringify(event), event.created_at],
  )
  return {
    id: event.id,
    async end(how: 'commit' | 'rollback') {
      await client.query(how)
      await client.end()
    },
  }
}

/** What may happen in each place: it opens a transaction, or ends that which is open. */
const step = fc.oneof(
  fc.record({
    place: fc.nat({ max: 3 }),
    how: fc.constantFrom('commit' as const, 'commit' as const, 'rollback' as const),
  }),
  fc.constantFrom('move' as const, 'elsewhere' as const),
)

describe('a reader of events', () => {
  it('misses none and gets none twice, in whatever order transactions end and the watermark moves', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const accountId = await makeAccount()
        const first = await append(accountId)
        await shown(accountId, first)
        const read = [first]
        const readOn = async () => {
          const request = { limit: 100, endingBefore: read.at(-1) }
          const page = await listEvents(db.em.fork(), { accountId }, request)
          read.push(...page.rows.map(idOf).toReversed())
        }
        const open = new Map<number, Awaited<ReturnType<typeof openHere>>>()
        let close: (() => Promise<void>) | null = null
        for (const one of steps) {
          const moving = one === 'move' ? move() : Promise.resolve()
          if (one === 'elsewhere') {
            const opened: (() => Promise<void>) | null = close ? null : await openElsewhere()
            await close?.()
            close = opened
          } else if (one !== 'move') {
            const ended = open.get(one.place)
            if (ended) await ended.end(one.how)
            if (ended) open.delete(one.place)
            else open.set(one.place, await openHere(accountId))
          }
          // Beside the move, and after it.
          await readOn()
          await moving
          await readOn()
        }
        for (const late of open.values()) await late.end('commit')
        await close?.()
        await shown(accountId, await append(accountId))
        await readOn()
        expect(read).toEqual((await idsOf(accountId)).toReversed())
      }),
      runs(10, 30),
    )
  })
})
