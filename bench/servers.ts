import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGuard } from '../scripts/embedded/guard.ts'
import { freePort } from '../scripts/embedded/ports.ts'
import { startPostgres } from '../scripts/embedded/postgres.ts'
import { openRotatingLog } from '../scripts/embedded/rotating-log.ts'
import { startServerProcess, type ServerProcess } from '../test/infrastructure/server-process.ts'

/** A PostgreSQL, and servers that run on the core reserved for servers. */
export interface BenchServers {
  /** For files of this run; removed by `close`. */
  folder: string
  databaseUrl: string
  masterKey: string
  /** Prefix of a command line that runs it on the reserved core. */
  launcher: string[]
  /** Starts a process of the service with production settings and the variables of `env`. */
  startService(script: string, portVariable: string, env?: Env): Promise<ServerProcess>
  /** Starts a server of the benchmark, which receives its port and `args`. */
  startAnchor(script: string, ...args: string[]): Promise<ServerProcess>
  /** Stops all servers, then PostgreSQL. */
  close(): Promise<void>
}

type Env = Record<string, string>

/** Starts PostgreSQL on a free port with its data in a temporary folder. */
export async function openBenchServers(name: string, launcher: string[]): Promise<BenchServers> {
  const folder = await mkdtemp(join(tmpdir(), `reelgate-bench-${name}-`))
  const postgres = await startPostgres({
    dataDir: folder,
    port: await freePort(),
    log: openRotatingLog(join(folder, 'postgres.log')),
    guard: startGuard(),
  })
  const masterKey = randomBytes(32).toString('hex')
  const running: ServerProcess[] = []
  const start = async (script: string, port: number, args: string[], env: Env) => {
    const server = await startServerProcess({
      script,
      args,
      env,
      launcher,
      baseUrl: `http://127.0.0.1:${port}`,
      logFile: join(folder, `${script.replaceAll('/', '-')}.log`),
    })
    running.push(server)
    return server
  }
  return {
    folder,
    databaseUrl: postgres.url,
    masterKey,
    launcher,
    async startService(script, portVariable, env = {}) {
      const port = await freePort()
      return start(script, port, [], {
        [portVariable]: String(port),
        DATABASE_URL: postgres.url,
        MASTER_KEY: masterKey,
        LOG_LEVEL: 'info',
        ...env,
      })
    },
    async startAnchor(script, ...args) {
      const port = await freePort()
      return start(script, port, [String(port), ...args], {})
    },
    async close() {
      await Promise.all(running.map((server) => server.stop()))
      await postgres.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
