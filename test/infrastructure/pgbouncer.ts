import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import { ensurePgbouncer, projectDir } from '../../scripts/bootstrap/tools.mjs'
import { startChild, type Child } from '../../scripts/embedded/child.ts'
import { startGuard } from '../../scripts/embedded/guard.ts'
import { freePort } from '../../scripts/embedded/ports.ts'
import { postgresUser } from '../../scripts/embedded/postgres-user.ts'
import { openRotatingLog } from '../../scripts/embedded/rotating-log.ts'
import { withClient } from './with-client.ts'

/** A PgBouncer in front of a PostgreSQL server. */
export interface Pgbouncer {
  /** Such as 1.18.0. */
  version: string
  pid: number
  /** The address of a database of the server, through PgBouncer. */
  through(databaseUrl: string): string
  /** How many connections of clients it has. */
  countClients(): Promise<number>
  stop(): Promise<void>
}

interface PgbouncerOptions {
  /** How many sessions of PostgreSQL the clients of a database share; as documented by default. */
  poolSize?: number
  /** Startup parameters that it accepts and does not pass on; none by default. */
  ignored?: string
}

/** Of Debian 12. Earlier ones may cancel the statement of another client (PgBouncer's changelog of 1.18). */
const OLDEST_VERSION = [1, 18] as const
const READY_TIMEOUT_MS = 20_000

/**
 * Starts the installed PgBouncer with the settings of docs/operating/processes.md in front of the server of
 * `databaseUrl`.
 */
export async function startPgbouncer(
  databaseUrl: string,
  options: PgbouncerOptions = {},
): Promise<Pgbouncer> {
  const program = await ensurePgbouncer()
  const version = versionOf(program)
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-pgbouncer-'))
  const user = postgresUser([program])
  const port = await freePort()
  const files = {
    'pgbouncer.ini': settings(`host=${hostname} port=${serverPort}`, port, {
      ...options,
      username,
    }),
    'userlist.txt': `"${username}" "${password}"\n`,
  }
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text, { mode: 0o600 })
    user.own(join(folder, name))
  }
  user.own(folder)
  const log = openRotatingLog(join(folder, 'pgbouncer.log'))
  const child = startChild({
    ...user.command(program, ['-q', join(folder, 'pgbouncer.ini')]),
    ...user.ids,
    cwd: folder,
    // SIGINT waits for transactions, which a test may have left open.
    stopSignal: 'SIGTERM',
    log,
    guard: startGuard(),
  })
  const through = (url: string) => Object.assign(new URL(url), { port: String(port) }).href
  const ofItself = Object.assign(new URL(through(databaseUrl)), { pathname: '/pgbouncer' }).href
  await awaitReady(through(databaseUrl), child)
  return {
    version,
    pid: child.pid,
    through,
    countClients: () => withClient(ofItself, countClients),
    async stop() {
      await child.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function versionOf(program: string): string {
  const text = execFileSync(program, ['--version'], { encoding: 'utf8' })
  const [version = '', major, minor] = /(\d+)\.(\d+)\.\d+/.exec(text) ?? []
  const [oldestMajor, oldestMinor] = OLDEST_VERSION
  if (Number(major) !== oldestMajor || Number(minor) < oldestMinor)
    throw new Error(`PgBouncer ${OLDEST_VERSION.join('.')} or later is needed, and this is ${text}`)
  return version
}

/** The documented settings with those of this test. */
function settings(
  server: string,
  port: number,
  { poolSize, ignored = '', username }: PgbouncerOptions & { username: string },
): string {
  const document = readFileSync(join(projectDir, 'docs/operating/processes.md'), 'utf8')
  const [, documented = ''] = /^```ini\n(.*?)^```/ms.exec(document) ?? []
  const own = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    auth_file: 'userlist.txt',
    unix_socket_dir: '',
    ignore_startup_parameters: ignored,
    stats_users: username,
    ...(poolSize !== undefined && { default_pool_size: poolSize }),
  }
  // The last value of a setting counts.
  const lines = Object.entries(own).map(([name, value]) => `${name} = ${value}\n`)
  return documented.replace(/^reelgate = .*$/m, `* = ${server}`) + lines.join('')
}

async function countClients(client: Client): Promise<number> {
  const { rows } = await client.query<{ database: string }>('show clients')
  return rows.filter(({ database }) => database !== 'pgbouncer').length
}

async function awaitReady(url: string, child: Child): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  for (;;) {
    try {
      return await withClient(url, async (client) => void (await client.query('select 1')))
    } catch (error) {
      if (child.end() !== null || Date.now() > deadline)
        throw new Error(`PgBouncer does not respond:\n${child.lastLines()}`, { cause: error })
    }
  }
}
