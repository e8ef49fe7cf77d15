import { connect } from 'node:net'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { EventEnvelope } from '../../domain/webhooks/events.ts'
import { parseMasterKeys, seal } from '../../security/sealing/sealing.ts'
import { signingSecretContext } from '../../security/sealing/secret-contexts.ts'
import { exampleOf } from '../../views/webhooks/event-type.ts'
import { createTestDatabase, s3Server, temporalAddress } from './services.ts'

const query = async (url: string, sql: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}

const tables = async (url: string) => {
  const { rows } = await query(url, `select tablename from pg_tables where schemaname = 'public'`)
  return rows.map((row: { tablename: string }) => row.tablename)
}

const ACCOUNT = `insert into account (id, name, settings, sealed_signing_secret)
  values (1, 'Test', '{}', 'sealed')`

/** SQL that inserts an event with `body`; its columns are those of the example. */
const eventOf = ({ id, type, created_at }: EventEnvelope, body: object) =>
  `insert into event (id, account_id, type, body, created_at)
   values ('${id}', 1, '${type}', '${JSON.stringify(body)}', '${created_at}')`

describe('test services', () => {
  it('creates a migrated database for each caller, and drops it', async () => {
    const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()])
    expect(first.url).not.toBe(second.url)
    expect(await tables(first.url)).toContain('video')
    await Promise.all([first.drop(), second.drop()])
    await expect(tables(first.url)).rejects.toThrow('does not exist')
  })

  it.each([
    ['is still in the table', 'select 1'],
    ['was deleted', 'delete from event'],
    ['was truncated', 'truncate event cascade'],
  ])('rejects the drop of a database with a wrong event that %s', async (_what, end) => {
    const ready = exampleOf('video.ready')
    const data = { ...ready.data, title: 'A field that the catalog does not have' }
    const drop = async (body: object) => {
      const database = await createTestDatabase()
      for (const sql of [ACCOUNT, eventOf(ready, body), end]) await query(database.url, sql)
      const dropped = await database.drop().catch((error: unknown) => error)
      await expect(tables(database.url)).rejects.toThrow('does not exist')
      if (dropped instanceof Error) throw dropped
    }
    await drop(ready)
    await expect(drop({ ...ready, data })).rejects.toThrow(
      `wrong events were written:\n${ready.id}`,
    )
    await expect(drop({ ...ready, id: `evt_${'0'.repeat(32)}` })).rejects.toThrow('the columns say')
  })

  it('rejects the drop of a database with a sealed value in a column that the registry does not list', async () => {
    const sealed = seal(parseMasterKeys('0'.repeat(64)), 'secret', signingSecretContext(1))
    const drop = async (sql: string) => {
      const database = await createTestDatabase()
      await query(database.url, ACCOUNT)
      await query(database.url, sql)
      await database.drop()
    }
    await drop(`update account set sealed_signing_secret = '${sealed}'`)
    for (const [column, value] of [
      ['name', sealed],
      ['settings', JSON.stringify({ color: { sealed } })],
    ])
      await expect(drop(`update account set ${column} = '${value}'`)).rejects.toThrow(
        `sealed values in account.${column}: a rotation`,
      )
  })

  it('shares one Temporal server, with the search attributes registered', async () => {
    const [address, again] = await Promise.all([temporalAddress(), temporalAddress()])
    expect(again).toBe(address)
    const [host = '', port] = address.split(':')
    await new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), host, () => resolve(void socket.destroy()))
      socket.once('error', reject)
    })
  })

  it('creates an S3 bucket for each caller', async () => {
    const [first, second] = await Promise.all([s3Server(), s3Server()])
    expect(first.bucket).not.toBe(second.bucket)
    expect(first.endpoint).toBe(second.endpoint)
  })
})
