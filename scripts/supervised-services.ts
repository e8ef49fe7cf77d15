import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { ensureTemporalServer, pinnedNode, projectDir } from './bootstrap/tools.mjs'
import { startChild, type Child } from './embedded/child.ts'
import type { Guard } from './embedded/guard.ts'
import { freePort, isPortFree } from './embedded/ports.ts'
import { startPostgres } from './embedded/postgres.ts'
import { openRotatingLog } from './embedded/rotating-log.ts'
import { endIfStuck } from './embedded/temporal-watch.ts'
import { startTemporal } from './embedded/temporal.ts'
import { supervise, type Supervised } from './supervise.ts'

/** What the supervisor gives to each process. */
export interface SupervisorOptions {
  config: Config
  /** The environment that the processes inherit. */
  env: Record<string, string | undefined>
  guard: Guard
  tell: (line: string) => void
}

const READY_TIMEOUT_MS = 60_000
const PROBE_TIMEOUT_MS = 2_000

/** Runs PostgreSQL in the data folder. If the default port is taken, it uses another one. */
export async function supervisePostgres(
  options: SupervisorOptions,
): Promise<{ supervised: Supervised; url: string }> {
  const dataDir = options.config.REELGATE_DATA_DIR
  const log = openLog(dataDir, 'postgres')
  const port = await postgresPort(options)
  let url = ''
  const start = async () => {
    const postgres = await startPostgres({ dataDir, port, log, guard: options.guard })
    url = postgres.url
    return postgres.child
  }
  const supervised = await supervise('PostgreSQL', start, options.tell)
  return { supervised, url }
}

async function postgresPort({ config, env }: SupervisorOptions): Promise<number> {
  const isFree = await isPortFree({ port: config.POSTGRES_PORT })
  return isFree || env.POSTGRES_PORT ? config.POSTGRES_PORT : freePort()
}

/** Runs the Temporal server in the data folder. */
export async function superviseTemporal({
  config,
  guard,
  tell,
}: SupervisorOptions): Promise<Supervised> {
  const program = await ensureTemporalServer()
  const dataDir = config.REELGATE_DATA_DIR
  const log = openLog(dataDir, 'temporal')
  const ports = { port: config.TEMPORAL_PORT, uiPort: config.TEMPORAL_UI_PORT }
  const start = async () => {
    const { namespaces } = config
    const server = await startTemporal({ program, dataDir, ...ports, namespaces, log, guard })
    endIfStuck(server, tell)
    return server.child
  }
  return supervise('Temporal', start, tell)
}

/** A process of the service and its sign of readiness. */
export interface ServiceProcess {
  name: string
  script: string
  /** Responds with 2xx when the process is ready. */
  healthUrl?: string
  /** Appears in the output when a process without a health URL is ready. */
  readyWords?: string
}

/** Runs a process of the service. Resolves when it is ready. */
export async function superviseProcess(
  process: ServiceProcess,
  options: SupervisorOptions,
): Promise<Supervised> {
  const log = openLog(options.config.REELGATE_DATA_DIR, process.name)
  const start = async () => {
    const child = startChild({
      program: pinnedNode,
      args: ['--no-warnings', join(projectDir, process.script)],
      cwd: projectDir,
      env: options.env,
      log,
      guard: options.guard,
      ...(process.readyWords !== undefined && { readyWords: process.readyWords }),
    })
    await awaitReady(process, child)
    return child
  }
  return supervise(process.name, start, options.tell)
}

async function awaitReady(process: ServiceProcess, child: Child): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (!(await isReady(process, child))) {
    const end = child.end()
    if (end !== null) throw new Error(`${process.name} ended with ${end}:\n${child.lastLines()}`)
    if (Date.now() > deadline) {
      await child.stop()
      throw new Error(`${process.name} was not ready in time:\n${child.lastLines()}`)
    }
    await sleep(50)
  }
}

async function isReady({ healthUrl, readyWords }: ServiceProcess, child: Child): Promise<boolean> {
  if (readyWords !== undefined && !child.hasWrittenReady()) return false
  if (healthUrl === undefined) return true
  try {
    const response = await fetch(healthUrl, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    return response.ok
  } catch {
    return false
  }
}

const openLog = (dataDir: string, name: string) =>
  openRotatingLog(join(dataDir, 'logs', `${name}.log`))
