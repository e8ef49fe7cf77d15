import { describe, expect, it } from 'vitest'
import { createTestDatabase } from '../test/infrastructure/services.ts'
import {
  openSilentProxy,
  throughProxy,
  type SilentProxy,
} from '../test/infrastructure/silent-proxy.ts'
import { waitFor } from '../test/infrastructure/wait-for.ts'
import { openDatabase, type Database } from './database.ts'
import { isDatabaseUnavailable } from './errors.ts'
import { runStatement } from './queries.ts'

const POOL_SIZE = 2
/** Long enough for a server that responds on a busy machine. */
const DEADLINES = { connectMs: 3_000, statementMs: 2_000 }
/** Both deadlines and the grace of the second, and what a busy machine adds. */
const BOUND_MS = 20_000
const insert = `insert into account (name, settings, sealed_signing_secret) values ('a', '{}', 's')`

/** A database behind a proxy that can fall silent. */
interface Silenceable {
  proxy: SilentProxy
  db: Database
  execute: <Row extends object>(sql: string) => Promise<Row[]>
  backend: () => Promise<{ pid: number } | undefined>
  accounts: () => Promise<object[]>
}

/** Returns a test with its own database, so that the tests can wait at the same time. */
const withDatabase = (test: (t: Silenceable) => Promise<void>) => async (): Promise<void> => {
  const database = await createTestDatabase()
  const { hostname, port } = new URL(database.url)
  const proxy = await openSilentProxy({ host: hostname, port: Number(port) })
  const url = throughProxy(database.url, proxy)
  const db = await openDatabase({ url, poolSize: POOL_SIZE, deadlines: DEADLINES })
  const execute = <Row extends object>(sql: string) => db.em.fork().execute<Row[]>(sql)
  try {
    await test({
      proxy,
      db,
      execute,
      backend: async () => (await execute<{ pid: number }>('select pg_backend_pid() as pid'))[0],
      accounts: () => execute('select name from account'),
    })
  } finally {
    await db.close(true)
    await proxy.close()
    await database.drop()
  }
}

/** What a promise rejects with, and after how long. */
async function failureOf(work: Promise<unknown>) {
  const startedAtMs = performance.now()
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  return { error, tookMs: performance.now() - startedAtMs }
}

async function expectAway(work: Promise<unknown>): Promise<void> {
  const { error, tookMs } = await failureOf(work)
  expect(error).toBeInstanceOf(Object)
  expect(isDatabaseUnavailable(error)).toBe(true)
  expect(tookMs).toBeLessThan(BOUND_MS)
}

describe('a PostgreSQL server that stops responding', () => {
  it.concurrent(
    'delays no statement beyond its deadline, even while many wait for the pool',
    withDatabase(async ({ proxy, db, execute }) => {
      await execute('select 1')
      proxy.fallSilent()
      const waiting = Array.from({ length: 5 * POOL_SIZE }, () => execute('select 1'))
      await Promise.all(waiting.map(expectAway))
      await expectAway(runStatement(db, { name: 'one', text: 'select 1' }, []))
    }),
  )

  it.concurrent(
    'is used again on new connections once it responds',
    withDatabase(async ({ proxy, execute, backend }) => {
      const before = await backend()
      proxy.fallSilent()
      await expectAway(execute(`select 'of an earlier request' as secret`))
      proxy.speak()
      const rows = await Promise.all(
        Array.from({ length: 3 * POOL_SIZE }, () =>
          execute<{ one: number; pid: number }>('select 1 as one, pg_backend_pid() as pid'),
        ),
      )
      for (const [row] of rows) expect(row).toEqual({ one: 1, pid: expect.any(Number) })
      expect(rows.map(([row]) => row?.pid)).not.toContain(before?.pid)
    }),
  )

  it.concurrent(
    'rolls back a transaction whose connection was closed and releases its locks',
    withDatabase(async ({ proxy, db, execute, accounts }) => {
      await expectAway(
        db.em.fork().transactional(async (tx) => {
          await tx.execute(insert)
          proxy.fallSilent()
          await tx.execute('select 1')
        }),
      )
      proxy.speak()
      await waitFor('the rollback', async () => {
        const open = await execute(`select 1 from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`)
        return open.length === 0
      })
      expect(await accounts()).toEqual([])
      const lock = 'lock table account in access exclusive mode nowait'
      await db.em.fork().transactional((tx) => tx.execute(lock))
    }),
  )

  it.concurrent(
    'may have committed a transaction without confirming it, and the pool loses no connection',
    withDatabase(async ({ proxy, db, accounts }) => {
      let inserted = 0
      while (inserted < POOL_SIZE + 1) {
        const cutOff = db.em.fork().transactional(async (tx) => {
          await tx.execute(insert)
          inserted += 1
          proxy.fallSilent()
        })
        await expectAway(cutOff)
        proxy.speak()
      }
      await waitFor('the commits', async () => (await accounts()).length === inserted)
    }),
  )
})

describe('a statement beyond its deadline', () => {
  it.concurrent(
    'is cancelled by PostgreSQL, and its connection stays usable',
    withDatabase(async ({ execute, backend }) => {
      const before = await backend()
      await expectAway(execute('select pg_sleep(20)'))
      expect(await backend()).toEqual(before)
      const running = await execute(`select 1 from pg_stat_activity
      where datname = current_database() and query like 'select pg_sleep%' and state = 'active'`)
      expect(running).toEqual([])
    }),
  )
})

describe('a pool of connections to a server that stops responding', () => {
  // Counts the sockets of this process, so it runs after the tests above.
  it(
    'does not keep the process from closing its pool and its sockets',
    withDatabase(async ({ proxy, db, execute }) => {
      await Promise.all([execute('select 1'), execute('select 1')])
      proxy.fallSilent()
      const { tookMs } = await failureOf(db.close(true))
      expect(tookMs).toBeLessThan(BOUND_MS)
      const sockets = () =>
        process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap')
      // The proxy's own ends stay, two for each connection.
      await waitFor('the sockets to be gone', async () => sockets().length <= 2 * POOL_SIZE)
    }),
  )
})
