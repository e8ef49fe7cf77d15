import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { reasonOf } from '../processes/readiness.ts'
import { pinnedNode, projectDir } from '../scripts/bootstrap/tools.mjs'
import { cliHarness } from '../test/fixtures/cli.ts'
import { createTestDatabase, type TestDatabase } from '../test/infrastructure/services.ts'
import { openDatabase, type Database } from './database.ts'
import { runStatement } from './queries.ts'
import { pingDatabase } from './upkeep/health.ts'

const SENTENCE = 'is behind a connection pooler (such as PgBouncer) that does not pass on sessions'
let database: TestDatabase
beforeAll(async () => void (database = await createTestDatabase()))
afterAll(() => database.drop())

/** The ErrorResponse of PgBouncer for a startup parameter that it does not know. */
function refusalOf(parameter: string): Buffer {
  const fields = ['SFATAL', 'C08P01', `Munsupported startup parameter: ${parameter}`]
  const body = Buffer.from(`${fields.map((field) => `${field}\0`).join('')}\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** Stands for a pooler without `ignore_startup_parameters` in front of PostgreSQL. */
async function openStrictPooler(target: string): Promise<{ url: string; server: Server }> {
  const { hostname, port } = new URL(target)
  const server = createServer((client) => {
    client.on('error', () => {})
    client.once('data', (startup) => {
      if (startup.includes('statement_timeout\0'))
        return void client.end(refusalOf('statement_timeout'))
      const upstream = connect(Number(port), hostname).on('error', () => client.destroy())
      client.on('close', () => upstream.destroy())
      upstream.write(startup)
      client.pipe(upstream).pipe(client)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return { url: url.href, server }
}

describe('a pooler that refuses startup parameters', () => {
  it('is named by a process, which ends at its start, and by doctor', async () => {
    const { url, server } = await openStrictPooler(database.url)
    const env = { DATABASE_URL: url, MASTER_KEY: randomBytes(32).toString('hex') }
    const [api, doctor] = await Promise.all([
      execa(pinnedNode, ['--no-warnings', 'api/server.ts'], {
        cwd: projectDir,
        env,
        reject: false,
        timeout: 60_000,
      }),
      cliHarness(env)('doctor', '--json'),
    ])
    server.close()
    expect([api.exitCode, api.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^PostgreSQL is behind a connection pooler \(such as PgBouncer\)[^\n]*$/,
      ),
    ])
    const { checks } = doctor.json<{ checks: { name: string; detail: string }[] }>()
    expect(checks.find(({ name }) => name === 'database')?.detail).toBe(api.stderr)
  })
})

describe('a connection that shares its session with others', () => {
  let db: Database
  const execute = (sql: string) => db.em.fork().execute(sql)
  const reason = () => pingDatabase(db.em.fork()).then(() => null, reasonOf)
  beforeEach(async () => void (db = await openDatabase({ url: database.url, poolSize: 1 })))
  afterEach(() => db.close(true))

  it('is not ready when another one has prepared its statement', async () => {
    await execute('prepare writability as select 1')
    expect(await reason()).toBe(SENTENCE)
  })

  it('is not ready when its prepared statement is gone', async () => {
    expect(await reason()).toBeNull()
    await execute('deallocate all')
    expect(await reason()).toBe(SENTENCE)
  })

  it('is not ready after a request that failed for this', async () => {
    await execute('prepare of_a_request as select 1')
    const failed = runStatement(db, { name: 'of_a_request', text: 'select 1' }, [])
    await expect(failed).rejects.toMatchObject({ code: '42P05' })
    expect(await reason()).toBe(SENTENCE)
  })
})
