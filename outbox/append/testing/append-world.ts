import { afterAll, beforeAll, beforeEach } from '@jest/globals'
import { createAccount } from '../../../db/accounts.ts'
import { openDatabase } from '../../../db/database.ts'
import type { Database, EntityManager } from '../../../db/database.ts'
import type { EventType } from '../../../domain/events.ts'
import type { VideoStatus } from '../../../domain/video-state.ts'
import { createTestDatabase } from '../../../test/services/index.ts'
import type { TestDatabase } from '../../../test/services/index.ts'

interface Row {
  [column: string]: unknown
}

/** Everything that a piece of work leaves for others to act on. */
interface Appended {
  events: { type: string; data: unknown; body: string }[]
  deliveries: { endpoint_id: number; event_type: string; status: string }[]
  commands: { command: string; account_id: number }[]
}

/** An account of its own, in a database in which each test begins without events and endpoints. */
export interface AppendTests {
  databaseUrl: string
  accountId: number
  otherAccountId: number
  em(): EntityManager
  execute<T = Row>(sql: string, parameters?: unknown[]): Promise<T[]>
  addVideo(status: VideoStatus): Promise<string>
  video(id: string): Promise<Row>
  addEndpoint(
    events: EventType[],
    options?: { accountId?: number; active?: boolean },
  ): Promise<number>
  appended(): Promise<Appended>
}

const NOTHING_APPENDED = `truncate event, outbox, webhook_endpoint, webhook_delivery, security_event, payment cascade`

/** Sets the database up for the tests of one file; the fields are there once its tests run. */
export function setUpAppend(): AppendTests {
  let database: TestDatabase
  let db: Database
  const em = () => db.em.fork()
  const execute = <T>(sql: string, parameters: unknown[] = []) => em().execute<T[]>(sql, parameters)
  const tests: AppendTests = {
    databaseUrl: '',
    accountId: 0,
    otherAccountId: 0,
    em,
    execute,
    async addVideo(status) {
      const id = crypto.randomUUID().replaceAll('-', '').slice(0, 20)
      await execute(
        `insert into video (id, account_id, title, source_url, protection, status, reserved_bytes)
         values (?, ?, 'film', ?, 'clearkey', ?, 500)`,
        [id, tests.accountId, 'https://films.example.com/?sig=1', status],
      )
      return id
    },
    video: async (id) => (await execute<Row>('select * from video where id = ?', [id]))[0] ?? {},
    async addEndpoint(events, { accountId = tests.accountId, active = true } = {}) {
      const [row] = await execute<{ id: number }>(
        `insert into webhook_endpoint (account_id, url, events, sealed_secret, is_active)
         values (?, 'https://hooks.example.com/', ?, 'sealed', ?) returning id`,
        [accountId, `{${events.join(',')}}`, active],
      )
      return row?.id ?? 0
    },
    appended: () => appended(execute),
  }
  beforeAll(async () => {
    database = await createTestDatabase()
    tests.databaseUrl = database.url
    db = await openDatabase({ url: database.url })
    const account = { name: 'Test', protection: 'clearkey', storageLimitBytes: null } as const
    const sealSigningSecret = () => 'sealed'
    tests.accountId = await createAccount(em(), { ...account, sealSigningSecret })
    tests.otherAccountId = await createAccount(em(), { ...account, sealSigningSecret })
  })
  beforeEach(() => execute(NOTHING_APPENDED))
  afterAll(async () => {
    await db.close(true)
    await database.drop()
  })
  return tests
}

async function appended(execute: AppendTests['execute']): Promise<Appended> {
  const events = await execute<{ type: string; body: string }>(
    'select type, body from event order by created_at, id',
  )
  return {
    events: events.map(({ type, body }) => ({ type, body, data: JSON.parse(body).data })),
    deliveries: await execute(
      'select endpoint_id, event_type, status from webhook_delivery order by endpoint_id, id',
    ),
    commands: await execute('select command, account_id from outbox order by id'),
  }
}
