import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmptyDatabase, type EmptyDatabase } from '../test/fixtures/empty-database.ts'
import { createTestDatabase, type TestDatabase } from '../test/infrastructure/services.ts'
import { until } from '../test/infrastructure/wait-for.ts'
import { withClient } from '../test/infrastructure/with-client.ts'
import { findSigningFacts } from './accounts/signing-facts.ts'
import { countAdmissions } from './accounts/write-api-keys.ts'
import { openDatabase, type Database } from './database.ts'
import { migrate } from './migrate.ts'
import { runStatement } from './queries.ts'
import { readSequenceUse } from './sequences.ts'
import { findPlayerExtras } from './videos/player-extras.ts'

const BEFORE = 'migration-20261205100000-growing-films'
const WIDE_KEYS = 'migration-20261206100000-wide-keys'
const VIDEO_ID = '0123456789abcdef0123'
const ROWS = [
  `insert into account (name, settings, sealed_signing_secret) values ('a', '{}', 'sealed')`,
  `insert into api_key (account_id, hash, hint, scopes) values (1, 'h', 'h', '{}')`,
  `insert into folder (account_id, name) values (1, 'Lessons')`,
  `insert into video (id, account_id, title, folder_id, source_url, protection, status)
   values ('${VIDEO_ID}', 1, 'A lesson', 1, '', 'clearkey', 'ready')`,
]

let server: TestDatabase
let database: EmptyDatabase
/** With one connection, as a process of the release before. */
let before: Database

beforeAll(async () => {
  server = await createTestDatabase()
  database = await openEmptyDatabase(server.url)
  before = await openDatabase({ url: database.url, poolSize: 1 })
  await before.migrator.up({ to: BEFORE })
  for (const row of ROWS) await before.em.fork().execute(row)
})
afterAll(async () => {
  await before.close(true)
  await database.drop()
  await server.drop()
})

/** The statement of the embed page also reads columns that are newer than the schema before. */
const FIND_TITLE = {
  name: 'find-title',
  text: 'select v.title, f.name from video v join folder f on f.id = v.folder_id where v.id = $1',
}

/** As the release before records a heartbeat. */
const HEARTBEAT = {
  name: 'playback-heartbeat',
  text: `insert into playback_session as s (id, video_id, account_id, signing_secret_version, position_ms, started_at)
    values ($1, $2, 1, 1, 1, $3) on conflict (id) do update set position_ms = excluded.position_ms
    returning (select v.status from video v where v.id = s.video_id) as status`,
}

const session = [randomUUID(), VIDEO_ID, new Date()]

/** What the prepared statements of a connection return. */
const runPrepared = async () => ({
  key: (await countAdmissions(before, { perMinute: 9, perDay: 9 })('h'))?.keyId,
  video: (await runStatement<{ title: string }>(before, FIND_TITLE, [VIDEO_ID]))[0]?.title,
  extras: await findPlayerExtras(before, VIDEO_ID),
  heartbeat: await runStatement(before, HEARTBEAT, session),
  account: (await findSigningFacts(before, 1, VIDEO_ID))?.id,
})

interface Column {
  name: string
  type: string
  referenced: string | null
}

const readColumns = async (): Promise<Column[]> =>
  before.em.fork().execute<Column[]>(
    `select format('%s.%s', c.conrelid::regclass, a.attname) as name, a.atttypid::regtype::text as type,
       r.atttypid::regtype::text as referenced
     from pg_constraint c
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
       left join pg_attribute r on r.attrelid = c.confrelid and r.attnum = c.confkey[1]
     where c.contype in ('f', 'p') and a.atttypid in ('integer'::regtype, 'bigint'::regtype)`,
  )

describe('the migration to wide keys', () => {
  it('waits three seconds for its locks, begins again, and leaves prepared statements of running processes valid', async () => {
    const expected = await runPrepared()
    expect(expected).toMatchObject({ key: 1, video: 'A lesson', account: 1 })
    const isWaiting = () =>
      withClient(server.url, async (client) => {
        const sql = `select 1 from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`
        return (await client.query(sql, [new URL(database.url).pathname.slice(1)])).rowCount === 1
      })
    let migration: Promise<string[]> | undefined
    await withClient(database.url, async (client) => {
      await client.query('begin')
      await client.query('select from webhook_delivery')
      migration = migrate(database.url)
      await until(isWaiting)
      await until(async () => !(await isWaiting()))
      await client.query('commit')
    })
    expect(await migration).toContain(WIDE_KEYS)
    expect(await runPrepared()).toEqual(expected)
  })

  it('leaves only the ids of accounts and API keys integers, and gives references the type of their keys', async () => {
    const columns = await readColumns()
    expect(columns.filter(({ type, referenced }) => (referenced ?? type) !== type)).toEqual([])
    const keys = columns.filter(({ name }) => /\.(id|key_id)$/.test(name))
    const integers = keys.filter(({ type }) => type === 'integer').map(({ name }) => name)
    expect([...new Set(integers)].toSorted()).toEqual([
      'account.id',
      'api_key.id',
      'api_key_rate.key_id',
      'mikro_orm_migrations.id',
    ])
    expect(columns.length).toBeGreaterThan(30)
  })

  it('leaves no sequence narrower or wider than its column', async () => {
    const wrong = await before.em.fork().execute(
      `select s.sequencename from pg_sequences s left join information_schema.columns c
         on c.column_default = format('nextval(%L::regclass)', s.sequencename)
       where s.data_type::text is distinct from c.data_type`,
    )
    expect(wrong).toEqual([])
    const [most] = await readSequenceUse(before.em.fork())
    expect(most?.name).toBe('mikro_orm_migrations_id_seq')
  })
})
