import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmptyDatabase, type EmptyDatabase } from '../../test/fixtures/empty-database.ts'
import { createTestDatabase, type TestDatabase } from '../../test/infrastructure/services.ts'
import { until } from '../../test/infrastructure/wait-for.ts'
import { withClient } from '../../test/infrastructure/with-client.ts'
import { openDatabase, type Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import { attachSteps } from '../schema/attach-steps.ts'
import { runSteps } from '../schema/run-steps.ts'
import { step, type Step } from '../schema/step-migration.ts'
import { runOn, type Run } from '../schema/transactions.ts'
import {
  periodStart,
  readPartitions,
  type Partitioned,
  type PartitionedById,
  type PartitionedByTime,
} from './partitioned.ts'
import { beginPeriod } from './write-id-partitions.ts'
import { keepPartitions, recordKeptDays } from './write-partitions.ts'

const MIGRATION = 'migration-20990101000000-of-a-test'
const DAY_MS = 86_400_000

const NOTE: PartitionedById = {
  by: 'id',
  table: 'note',
  column: 'id',
  sequence: 'note_id_seq',
  timeColumn: 'created_at',
  period: 'week',
  idsMin: 1_000,
}
const VISIT: PartitionedByTime = {
  by: 'time',
  table: 'visit_record',
  timeColumn: 'began_at',
  period: 'month',
  storage: 'fillfactor = 80',
}

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

const execute = <Row = unknown>(sql: string) => db.em.fork().execute<Row[]>(sql)

const read = (table: Partitioned) =>
  withClient(database.url, (client) => {
    client.setTypeParser(20, Number)
    return readPartitions(runOn(client), table)
  })

/** Runs steps, and kills the migration after each of them, and within it. */
async function runKilled(steps: Step[], between: () => Promise<unknown>): Promise<void> {
  for (const [index, one] of steps.entries()) {
    const killed: Step = {
      ...one,
      work: async (run: Run) => {
        await one.work(run)
        await run('select pg_terminate_backend(pg_backend_pid())')
      },
    }
    const begin = steps.slice(0, index)
    await expect(runSteps(db, MIGRATION, [...begin, killed])).rejects.toThrow(/terminat/)
    await between()
    const stop = step('stop', () => Promise.reject(new Error('stopped')))
    await expect(runSteps(db, MIGRATION, [...begin, one, stop])).rejects.toThrow('stopped')
    await between()
  }
  await runSteps(db, MIGRATION, steps)
  await execute(`delete from mikro_orm_migrations where name = '${MIGRATION}'`)
}

const filesOf = async (...names: string[]) =>
  execute(`select ${names.map((name) => `pg_relation_filenode('${name}') as ${name}`).join()}`)

const addNote = () => execute(`insert into note (body) values ('x') returning id`)

/** As if so many days had passed. */
const age = (table: Partitioned, days: number) =>
  execute(
    `update id_partition set opened_at = opened_at - interval '${days} days' where table_name = '${table.table}'`,
  )

describe('a table that becomes the first partition', () => {
  it('keeps its rows and indexes as they are and takes writes, wherever the migration is killed', async () => {
    await execute(
      `create table note (id bigserial primary key, body text not null check (body <> ''),
         created_at timestamptz not null default now());
       create index note_created on note (created_at, id)`,
    )
    await execute(
      `insert into note (body, created_at) select 'x', now() - (501 - n) * interval '1 day' from generate_series(1, 500) n`,
    )
    const [before] = await filesOf('note', 'note_pkey', 'note_created')
    const steps = attachSteps({ partitioned: NOTE, old: 'note', first: 'note_p0' })
    await runKilled(steps, addNote)
    const [after] = await filesOf('note_p0', 'note_p0_pkey', 'note_p0_created')
    expect(Object.values(after ?? {})).toEqual(Object.values(before ?? {}))
    expect(await execute('select count(*) from note')).toEqual([{ count: 500 + 2 * steps.length }])
    await expect(execute(`insert into note (body) values ('')`)).rejects.toThrow(/note_body_check/)
    expect(await read(NOTE)).toMatchObject([
      { name: 'note_p0', from: null, to: 2_000 },
      { name: 'note_p2000', from: 2_000, to: 3_000, openedAtMs: null },
      { name: 'note_p3000', from: 3_000, to: 4_000, openedAtMs: null },
    ])
    const indexes = await execute<{ name: string }>(
      `select indexrelid::regclass::text as name from pg_index where indrelid = 'note_p2000'::regclass`,
    )
    expect(indexes).toHaveLength(2)
  })

  it('goes on under its name if its rows are upserted by a key without the time', async () => {
    await execute(
      `create table visit (id uuid primary key, began_at timestamptz not null, count int not null default 1);
       create unique index visit_key on visit (id, began_at)`,
    )
    const upsert = () =>
      execute(
        `insert into visit as v (id, began_at) values ('11111111-1111-1111-1111-111111111111', '2026-01-01')
         on conflict (id) do update set count = v.count + 1`,
      )
    const steps = attachSteps({
      partitioned: VISIT,
      old: 'visit',
      first: 'visit',
      ownIndexes: ['visit_pkey'],
    })
    await runKilled(steps, upsert)
    await upsert()
    await execute(
      `insert into visit_record as v (id, began_at) values ('11111111-1111-1111-1111-111111111111', '2026-01-01')
       on conflict (id, began_at) do update set count = v.count + 1`,
    )
    expect(await execute('select count from visit_record')).toEqual([
      { count: 2 * steps.length + 2 },
    ])
    const [first, ...ahead] = await read(VISIT)
    expect(first?.to).toBeGreaterThan(Date.now() + 14 * DAY_MS)
    expect(ahead[0]?.from).toBe(first?.to)
    expect(ahead.at(-1)?.to).toBe(periodStart(Date.now(), 'month', 9))
  })
})

describe('partitions by id', () => {
  const keep = (days = 365) => keepPartitions(db, NOTE, days)
  const lastId = async () => ((await addNote()) as { id: number }[])[0]?.id ?? 0

  it('hold a period: the sequence moves to the next one, once, also if processes prevent each other', async () => {
    expect(await keep()).toEqual({ created: [], begun: [], dropped: [] })
    await age(NOTE, 8)
    // What none of the three does, because another holds the lock at that moment, is left to the next run.
    const runs = [...(await Promise.all([keep(), keep(), keep()])), await keep()]
    expect(runs.flatMap(({ begun }) => begun)).toEqual(['note_p2000'])
    expect(runs.flatMap(({ created }) => created)).toEqual(['note_p4000'])
    expect(await lastId()).toBe(2_000)
    expect(await keep()).toEqual({ created: [], begun: [], dropped: [] })
  })

  it('never move the sequence back, however long a process is paused before its write', async () => {
    await age(NOTE, 8)
    await withClient(database.url, async (client) => {
      client.setTypeParser(20, Number)
      const run = runOn(client)
      let isPaused = false
      const paused: Run = async (sql, values) => {
        if (sql.includes('setval')) {
          isPaused = true
          await execute(`select setval('note_id_seq', 3500)`)
        }
        return run(sql, values)
      }
      await beginPeriod(paused, NOTE)
      expect(isPaused).toBe(true)
    })
    expect(await lastId()).toBe(3_501)
  })

  it('are created beyond the rows of the default one, which takes what no partition takes', async () => {
    await execute(`select setval('note_id_seq', 9000)`)
    await addNote()
    const { created, begun } = await keep()
    expect(created).toHaveLength(3)
    expect(begun).toEqual([created[0]])
    expect(await execute('select id from note_default')).toEqual([{ id: 9_001 }])
    const partitions = await read(NOTE)
    expect(await lastId()).toBe(partitions.at(-3)?.from)
  })

  it('grow with what a period takes', async () => {
    const [current] = (await read(NOTE)).slice(-2)
    await execute(
      `insert into note (body, created_at) select 'x', now() - interval '1 minute' * n / 10 from generate_series(1000, 1, -1) n`,
    )
    await keep()
    const { from, to } = (await read(NOTE)).at(-1) ?? {}
    expect((to ?? 0) - (from ?? 0)).toBeGreaterThan(2 * ((current?.to ?? 0) - (current?.from ?? 0)))
  })

  it('are dropped when all of their rows are too old, while transactions read the table', async () => {
    await recordKeptDays(db, 'note', 30)
    await age(NOTE, 32)
    expect((await keep()).dropped).toEqual([])
    const shown = () => execute(`select from note where created_at > kept_since('note')`)
    const rows = await shown()
    expect(rows.length).toBeLessThan((await execute('select from note')).length)
    let kept: ReturnType<typeof keep> | undefined
    await withClient(database.url, async (client) => {
      await client.query('begin; select from note')
      kept = keep(30)
      await until(
        async () =>
          (
            await execute(
              `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'drop table%'`,
            )
          ).length > 0,
      )
      expect(await shown()).toHaveLength(rows.length)
      await client.query('commit')
    })
    const { dropped = [] } = (await kept) ?? {}
    expect(dropped).toContain('note_p0')
    expect((await read(NOTE)).map(({ name }) => name)).not.toContain('note_p0')
    expect(await execute(`select name from id_partition where name = 'note_p0'`)).toEqual([])
    await addNote()
  })
})

describe('partitions by time', () => {
  it('are created ahead, except where the default one has rows, and dropped after their time', async () => {
    const names = (await read(VISIT)).map(({ name }) => name)
    for (const name of names.slice(-3)) await execute(`drop table ${name}`)
    const missing = periodStart(Date.now(), 'month', 7)
    await execute(
      `insert into visit_record (id, began_at) values (gen_random_uuid(), '${new Date(missing).toISOString()}')`,
    )
    const { created } = await keepPartitions(db, VISIT, 365)
    expect(created).toEqual([names.at(-3), names.at(-1)])
    const { dropped } = await keepPartitions(db, VISIT, -100)
    expect(dropped).toEqual(names.slice(0, 3))
  })
})
