import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmptyDatabase, type EmptyDatabase } from '../../test/fixtures/empty-database.ts'
import { createTestDatabase, type TestDatabase } from '../../test/infrastructure/services.ts'
import { openDatabase, type Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import { EventIndexes } from '../migrations/migration-20261221120000-event-indexes.ts'
import { runSteps } from './run-steps.ts'

let server: TestDatabase
let database: EmptyDatabase
let db: Database

beforeAll(async () => {
  server = await createTestDatabase()
  database = await openEmptyDatabase(server.url)
  await migrate(database.url)
  db = await openDatabase({ url: database.url })
})
afterAll(async () => {
  await db.close(true)
  await database.drop()
  await server.drop()
})

const execute = <Row>(sql: string) => db.em.fork().execute<Row[]>(sql)

const COLUMNS = (index: string) => `(select array_agg(a.attname order by k.place)
  from unnest(${index}.indkey) with ordinality k (attnum, place)
  join pg_attribute a on a.attrelid = ${index}.indrelid and a.attnum = k.attnum)`

/** The indexes of partitioned tables that a partition does not have: by their columns. */
async function missing(): Promise<string[]> {
  const rows = await execute<{ name: string }>(`
    select c.relname || ' (' || array_to_string(${COLUMNS('p')}, ', ') || ')' as name
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_index p on p.indrelid = i.inhparent
    where c.relkind in ('r', 'p') and not exists (
      select from pg_index o where o.indrelid = c.oid and (o.indisvalid or c.relkind = 'p')
        and ${COLUMNS('o')} = ${COLUMNS('p')})
    order by 1`)
  return rows.map(({ name }) => name)
}

describe('every partition', () => {
  it('has the indexes of its table from the migration on', async () => {
    expect(await missing()).toEqual([])
  })

  it('of events gets the index of their ids, where a migration before has left it out', async () => {
    // The index of the table, without those of its partitions.
    await execute('drop index event_id')
    await execute('create index event_id on only event (id)')
    expect(await missing()).not.toEqual([])
    await runSteps(db, 'again', new EventIndexes(db.driver, db.config).steps())
    expect(await missing()).toEqual([])
  })
})
