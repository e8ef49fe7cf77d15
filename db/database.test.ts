import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test/infrastructure/services.ts'
import { withClient } from '../test/infrastructure/with-client.ts'
import { openDatabase, type Database } from './database.ts'

const POOL_SIZE = 2
let database: TestDatabase
let db: Database

beforeEach(async () => {
  database = await createTestDatabase()
  db = await openDatabase({ url: database.url, poolSize: POOL_SIZE })
})
afterEach(() => database.drop())

/** Ends the connection in the middle of a transaction, like a restart of PostgreSQL. */
const loseConnection = (): Promise<unknown> =>
  db.em
    .fork()
    .transactional((tx) => tx.execute('select pg_terminate_backend(pg_backend_pid())'))
    .catch((error: unknown) => error)

describe('a connection that is lost inside a transaction', () => {
  it('is replaced, so the pool keeps its size', async () => {
    for (let round = 0; round < 2 * POOL_SIZE; round += 1)
      expect(await loseConnection()).toMatchObject({ code: '57P01' })
    const results = await Promise.all(
      Array.from({ length: POOL_SIZE + 1 }, () => db.em.fork().execute('select 1 as one')),
    )
    expect(results).toEqual(Array(POOL_SIZE + 1).fill([{ one: 1 }]))
    await db.close(true)
  })

  it('does not keep the process from closing', async () => {
    await loseConnection()
    await db.close(true)
  })

  it('loses nothing that a later transaction commits', async () => {
    await loseConnection()
    await db.em.fork().transactional(async (tx) => {
      await tx.execute(`insert into account (name, settings, sealed_signing_secret)
        values ('kept', '{}', 'sealed')`)
    })
    expect(await db.em.fork().execute('select name from account')).toEqual([{ name: 'kept' }])
    await db.close(true)
  })
})

describe('a connection that opens while the database closes', () => {
  it('serves its query and does not keep the process from closing', async () => {
    await db.em.fork().execute('select 1')
    const queries = Promise.all(
      Array.from({ length: POOL_SIZE }, () => db.em.fork().execute('select 1 as one')),
    )
    await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([db.close(true), expect(queries).resolves.toHaveLength(POOL_SIZE)])
  })
})

describe('a connection that is read-only', () => {
  const setReadOnly = (isReadOnly: boolean): Promise<void> =>
    withClient(database.url, async (client) => {
      await client.query('set default_transaction_read_only = off')
      await client.query(`do $$ begin execute format(
        'alter database %I set default_transaction_read_only = ${isReadOnly}', current_database()); end $$`)
    })

  it.each([
    ['a statement', (sql: string) => db.em.fork().execute(sql)],
    ['a transaction', (sql: string) => db.em.fork().transactional((tx) => tx.execute(sql))],
  ])('is not kept after it has refused %s', async (_kind, run) => {
    await setReadOnly(true)
    await db.em.fork().execute('select 1')
    await setReadOnly(false)
    const insert = `insert into account (name, settings, sealed_signing_secret) values ('a', '{}', 's')`
    await expect(run(insert)).rejects.toMatchObject({ code: '25006' })
    await run(insert)
    await db.close(true)
  })
})
