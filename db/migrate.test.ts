import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pinnedNode, projectDir } from '../scripts/bootstrap/tools.mjs'
import { freePort } from '../scripts/embedded/ports.ts'
import { someOf } from '../test/infrastructure/every-case.ts'
import {
  createTestDatabase,
  temporalAddress,
  type TestDatabase,
} from '../test/infrastructure/services.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'

const NEWER = 'migration-20990101000000-of-a-newer-version'
let known: TestDatabase
let newer: TestDatabase
let dataDir: string

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'schema-version-'))
  ;[known, newer] = await Promise.all([createTestDatabase(), createTestDatabase()])
  const db = await openDatabase({ url: newer.url })
  await db.em.fork().execute('insert into mikro_orm_migrations (name) values (?)', [NEWER])
  await db.close(true)
})
afterAll(async () => {
  rmSync(dataDir, { recursive: true })
  await Promise.all([known.drop(), newer.drop()])
})

/** Runs a process of the service until it exits by itself. */
async function run(script: string, databaseUrl: string, env: Record<string, string> = {}) {
  const result = await execa(pinnedNode, ['--no-warnings', ...script.split(' ')], {
    cwd: projectDir,
    env: {
      REELGATE_DATA_DIR: dataDir,
      MASTER_KEY: randomBytes(32).toString('hex'),
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: await temporalAddress(),
      API_PORT: String(await freePort()),
      PLAYER_PORT: String(await freePort()),
      DASHBOARD_PORT: String(await freePort()),
      LOG_LEVEL: 'silent',
      ...env,
    },
    reject: false,
    timeout: 60_000,
  })
  return { status: result.exitCode, stderr: result.stderr }
}

describe('a database that a newer version has migrated', () => {
  it('is not changed by migrate', async () => {
    await expect(migrate(newer.url)).rejects.toThrow(NEWER)
    expect(await migrate(known.url)).toEqual([])
  })

  const processes = [
    'scripts/start.ts',
    'scripts/set-up.ts',
    'api/server.ts',
    'player/server/main.ts',
    'dashboard/server/main.ts',
    'worker.ts',
    'cli/main.ts accounts list',
  ]
  it.each(someOf(processes, 3))(
    'is refused by %s in a line with the migration and the advice to run that version',
    async (script) => {
      const { status, stderr } = await run(script, newer.url)
      expect(stderr).toMatch(
        new RegExp(
          `^(reelgate: )?The database was migrated by a newer.*${NEWER}.*Run that version`,
          'm',
        ),
      )
      expect(stderr).not.toMatch(/^\s+at /m)
      expect(status).toBe(1)
    },
  )
})

describe('a process that serves', () => {
  it('reports in one line that its port is taken, and ends', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as AddressInfo
    const { status, stderr } = await run('api/server.ts', known.url, { API_PORT: String(port) })
    expect(stderr).toBe(`Port ${port} of 127.0.0.1 cannot be used: another program uses it.`)
    expect(status).toBe(1)
    holder.close()
  })

  it('ends with one line when PostgreSQL refuses its password', async () => {
    const url = new URL(known.url)
    url.password = 'wrong'
    const { status, stderr } = await run('api/server.ts', url.href)
    expect(stderr).toMatch(/^.*password authentication failed.*$/)
    expect(status).toBe(1)
  })
})
