import { randomUUID } from 'node:crypto'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pinnedNode, projectDir } from '../../scripts/bootstrap/tools.mjs'
import { openEmptyDatabase, type EmptyDatabase } from '../../test/fixtures/empty-database.ts'
import { createTestDatabase, type TestDatabase } from '../../test/infrastructure/services.ts'
import { until } from '../../test/infrastructure/wait-for.ts'
import { openDatabase, type Database } from '../database.ts'
import { migrate, readMigrations } from '../migrate.ts'
import { PLAYBACK_RECORDS, SECURITY_EVENTS } from '../partitions/partitioned-tables.ts'
import { keepPartitions } from '../partitions/write-partitions.ts'
import { addToSecurityEvents, insertSecurityEvents } from '../playback/write-security-events.ts'
import { applyMigrations } from './apply-migrations.ts'

const BEFORE = 'migration-20261218100000-outbox-lanes'
const VIDEO_ID = '0123456789abcdef0123'
const ROWS = 20_000

let server: TestDatabase
let database: EmptyDatabase
/** With one connection, as a process of the release before. */
let before: Database

beforeAll(async () => {
  server = await createTestDatabase()
  database = await openEmptyDatabase(server.url)
  before = await openDatabase({ url: database.url, poolSize: 1 })
  await applyMigrations(before, { to: BEFORE })
  await execute(
    `insert into account (name, settings, sealed_signing_secret) values ('a', '{}', 's')`,
  )
  await execute(
    `insert into video (id, account_id, title, source_url, protection, status)
     values ('${VIDEO_ID}', 1, 'A lesson', '', 'clearkey', 'ready')`,
  )
  await execute(
    `insert into security_event (account_id, event_type, severity, details, created_at)
     select 1, 'x', 'low', '{}', now() - n * interval '25 minutes' from generate_series(${ROWS}, 1, -1) n`,
  )
  await execute(
    `insert into playback_session (id, account_id, video_id, signing_secret_version, started_at)
     select gen_random_uuid(), 1, '${VIDEO_ID}', 1, now() - n * interval '25 minutes' from generate_series(1, ${ROWS}) n`,
  )
})
afterAll(async () => {
  await before.close(true)
  await database.drop()
  await server.drop()
})

const execute = <Row = unknown>(sql: string) => before.em.fork().execute<Row[]>(sql)

const session = randomUUID()
/** What processes of the release before do with the tables. */
async function writeAsBefore(): Promise<void> {
  await execute(
    `insert into playback_session as s (id, video_id, account_id, signing_secret_version, started_at)
     values ('${session}', '${VIDEO_ID}', 1, 1, date_trunc('day', now()))
     on conflict (id) do update set watched_ms = s.watched_ms + 1, last_seen_at = now()`,
  )
  const [row] = await execute<{ id: number }>(
    `insert into security_event (account_id, event_type, severity, details) values (1, 'beside', 'low', '{}') returning id`,
  )
  await execute(`update security_event set severity = 'high' where id = ${row?.id}`)
}

/** Runs `scripts/set-up.ts`' migration in a process of its own. */
const runMigrate = () =>
  execa(
    pinnedNode,
    [
      '--input-type=module',
      '-e',
      `import { migrate } from './db/migrate.ts'; await migrate(process.argv[1])`,
      database.url,
    ],
    { cwd: projectDir, reject: false, timeout: 120_000 },
  )

describe('the partitions of security events and playback sessions', () => {
  it('are made from the tables, wherever kill -9 ends the migration, beside the release before', async () => {
    const [files] = await execute(
      `select pg_relation_filenode('security_event') as events, pg_relation_filenode('playback_session') as sessions`,
    )
    const steps = async () =>
      (await execute(`select to_regclass('migration_step') as t`)).length > 0 &&
      (await execute<{ t: string | null }>(`select to_regclass('migration_step')::text as t`))[0]?.t
        ? (await execute('select from migration_step')).length
        : 0
    const isMigrated = async () =>
      (await readMigrations(before.em.fork())).some((name) => name > 'migration-20261220115959')
    let [kills, writes] = [0, 0]
    for (let reached = 1; !(await isMigrated()); reached += 3) {
      const migration = runMigrate()
      let isOver = false
      void migration.then(() => (isOver = true))
      await until(async () => {
        await writeAsBefore()
        writes += 1
        return isOver || (await steps()) >= reached
      })
      if (!isOver) kills += 1
      migration.kill('SIGKILL')
      await migration
    }
    expect(kills).toBeGreaterThan(0)
    // The last kill can come between this migration and those after it.
    await migrate(database.url)
    expect(await migrate(database.url)).toEqual([])
    await writeAsBefore()
    expect(
      await execute(
        `select pg_relation_filenode('security_event_p0') as events, pg_relation_filenode('playback_session') as sessions`,
      ),
    ).toEqual([files])
    expect(await execute(`select count(*) from security_event where severity = 'high'`)).toEqual([
      { count: writes + 1 },
    ])
    expect(await execute(`select watched_ms from playback_record where id = '${session}'`)).toEqual(
      [{ watched_ms: writes }],
    )
    expect(await execute('select from playback_record')).toHaveLength(ROWS + 1)
    expect(await execute('select from migration_step')).toEqual([])
  })

  it('hold one row of a session for both releases, and find it without the time', async () => {
    await execute(
      `insert into playback_record as s (id, video_id, account_id, signing_secret_version, started_at)
       values ('${session}', '${VIDEO_ID}', 1, 1, date_trunc('day', now()))
       on conflict (id, started_at) do update set watched_ms = s.watched_ms + 1`,
    )
    expect(await execute(`select from playback_record where id = '${session}'`)).toHaveLength(1)
  })

  it('have no foreign key, refuse rows of an account that does not exist, and keep their ids in one sequence', async () => {
    const row = {
      eventType: 'x',
      severity: 'low',
      videoId: null,
      viewerId: null,
      details: {},
    } as const
    await expect(
      insertSecurityEvents(before.em.fork(), [{ ...row, accountId: 7 }]),
    ).rejects.toThrow(/null value in column "account_id"/)
    const [id = 0] = await insertSecurityEvents(before.em.fork(), [{ ...row, accountId: 1 }])
    expect(await addToSecurityEvents(before.em.fork(), [{ id, more: 1 }])).toEqual([id])
    expect(
      await execute(
        `select conname from pg_constraint where contype = 'f' and conrelid::regclass::text ~ 'security_event|playback_(record|session)'`,
      ),
    ).toEqual([])
  })

  it('are complete: nothing is left to create, and nothing is too old', async () => {
    for (const table of [SECURITY_EVENTS, PLAYBACK_RECORDS])
      expect(await keepPartitions(before, table, 365)).toEqual({
        created: [],
        begun: [],
        dropped: [],
      })
  })
})
