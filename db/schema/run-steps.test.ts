import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runBackfills } from '../../activities/upkeep/run-backfills.ts'
import { openEmptyDatabase, type EmptyDatabase } from '../../test/fixtures/empty-database.ts'
import { createTestDatabase, type TestDatabase } from '../../test/infrastructure/services.ts'
import { until } from '../../test/infrastructure/wait-for.ts'
import { withClient } from '../../test/infrastructure/with-client.ts'
import { openDatabase, type Database } from '../database.ts'
import { knownMigrations, migrate, readMigrations } from '../migrate.ts'
import { continueBackfill } from '../upkeep/write-backfills.ts'
import { runSteps } from './run-steps.ts'
import { indexStep, step, type Step } from './step-migration.ts'

let server: TestDatabase
let database: EmptyDatabase
let db: Database

beforeAll(async () => {
  server = await createTestDatabase()
  database = await openEmptyDatabase(server.url)
  db = await openDatabase({ url: database.url })
})
afterAll(async () => {
  await db.close(true)
  await database.drop()
  await server.drop()
})

const execute = <Row>(sql: string) => db.em.fork().execute<Row[]>(sql)

/** The statements of others that wait, or run, in this database. */
const countStatements = async (condition: string): Promise<number> =>
  (
    await execute(
      `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
    )
  ).length

describe('migrate', () => {
  it('applies each migration once when two processes run at the same time', async () => {
    const [one, other] = await Promise.all([migrate(database.url), migrate(database.url)])
    expect([...one, ...other].toSorted()).toEqual(knownMigrations(db))
    expect(await readMigrations(db.em.fork())).toEqual(knownMigrations(db))
  })
})

describe('the steps of a migration', () => {
  const MIGRATION = 'migration-20990101000000-of-a-test'
  const counted = (name: string): Step => step(name, `insert into done values ('${name}')`)
  const doneSteps = async () =>
    (await execute<{ name: string }>('select name from done order by name')).map(({ name }) => name)
  const run = (steps: Step[]) => runSteps(db, MIGRATION, steps)
  const isIndexValid = async () =>
    (
      await execute<{ valid: boolean }>(
        `select indisvalid as valid from pg_index where indexrelid = to_regclass('done_name')`,
      )
    )[0]?.valid

  beforeEach(async () => {
    await execute(`drop table if exists done; create table done (name text)`)
    await execute(`delete from migration_step`)
    await execute(`delete from mikro_orm_migrations where name = '${MIGRATION}'`)
  })

  it('are each committed by itself and run once, wherever the process is killed', async () => {
    const names = ['a', 'b', 'c']
    for (const killed of names) {
      const steps = names.map((name) =>
        step(name, `insert into done values ('${name}')`, async (inStep) => {
          if (name === killed) await inStep('select pg_terminate_backend(pg_backend_pid())')
        }),
      )
      await expect(run(steps)).rejects.toThrow(/terminat/)
      expect(await doneSteps()).toEqual(names.slice(0, names.indexOf(killed)))
    }
    await run(names.map(counted))
    expect(await doneSteps()).toEqual(names)
    expect(await readMigrations(db.em.fork())).toContain(MIGRATION)
    expect(await execute('select from migration_step')).toEqual([])
  })

  it('wait two seconds at most for a lock, let the requests behind it pass, and begin again', async () => {
    const isWaiting = async () => (await countStatements(`wait_event_type = 'Lock'`)) === 1
    let done: Promise<void> | undefined
    await withClient(database.url, async (client) => {
      await client.query('begin; select from done')
      done = run([step('a', `alter table done add column b text`)])
      await until(isWaiting)
      await until(async () => !(await isWaiting()))
      await client.query(`insert into done (name) values ('beside')`)
      await client.query('commit')
    })
    await done
    expect(await execute('select name, b from done')).toEqual([{ name: 'beside', b: null }])
  })

  it('build an index beside a long transaction and its writes, again if a kill left it invalid', async () => {
    const index = indexStep('done_name', 'done (name)')
    const isBuilding = async () =>
      (await countStatements(`query like 'create%index concurrently%' and state = 'active'`)) === 1
    let done: Promise<void> | undefined
    await withClient(database.url, async (client) => {
      await client.query(`begin; insert into done values ('open')`)
      const killed = run([index]).catch((error: unknown) => error)
      await until(isBuilding)
      await execute(
        `select pg_terminate_backend(pid) from pg_stat_activity where query like 'create%index concurrently%'`,
      )
      expect(await killed).toMatchObject({ code: '57P01' })
      expect(await isIndexValid()).toBe(false)
      done = run([index])
      await until(
        async () =>
          (await countStatements(
            `query like 'drop index concurrently%' or query like 'create%index concurrently%'`,
          )) > 0,
      )
      await execute(`insert into done values ('beside')`)
      await client.query('commit')
    })
    await done
    expect(await isIndexValid()).toBe(true)
    expect(await doneSteps()).toEqual(['beside', 'open'])
  })
})

describe('a backfill', () => {
  it('continues from its recorded position after a kill, and ends once', async () => {
    await execute(`insert into backfill (name) values ('of-a-test')`)
    const positions: (string | null)[] = []
    const backfill = {
      name: 'of-a-test',
      fill: (_em: unknown, position: string | null) => {
        positions.push(position)
        if (positions.length === 2) throw new Error('killed')
        return Promise.resolve(position === '2' ? null : String(Number(position) + 1))
      },
    }
    const runAll = () => new MockActivityEnvironment().run(() => runBackfills({ db }, [backfill]))
    await expect(runAll()).rejects.toThrow('killed')
    await runAll()
    expect(positions).toEqual([null, '1', '1', '2'])
    expect(await continueBackfill(db.em.fork(), backfill)).toBe(false)
  })
})
