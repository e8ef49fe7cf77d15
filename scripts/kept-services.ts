import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { ensureTemporalServer, pinnedNode, projectDir } from './bootstrap/tools.mjs'
import { startChild, type Child } from './embedded/child.ts'
import type { Guard } from './embedded/guard.ts'
import { freePort, isPortFree } from './embedded/ports.ts'
import { startPostgres } from './embedded/postgres.ts'
import { openRotatingLog } from './embedded/rotating-log.ts'
import { startTemporal } from './embedded/temporal.ts'
import { endOnceStuck } from './embedded/temporal-watch.ts'
import { keepRunning, type Kept } from './keep-running.ts'

/** What every kept process needs of its supervisor. */
export interface Surroundings {
  config: Config
  /** The environment that processes inherit. */
  env: Record<string, string | undefined>
  guard: Guard
  tell: (line: string) => void
}

const READY_TIMEOUT_MS = 60_000
const PROBE_TIMEOUT_MS = 2_000

/** PostgreSQL in the data directory. Its port never matters to people, so a taken one is changed. */
export async function keepPostgres(around: Surroundings): Promise<{ kept: Kept; url: string }> {
  const dataDir = around.config.REELGATE_DATA_DIR
  const log = openLog(dataDir, 'postgres')
  const port = await postgresPort(around)
  let url = ''
  const start = async () => {
    const postgres = await startPostgres({ dataDir, port, log, guard: around.guard })
    url = postgres.url
    return postgres.child
  }
  const kept = await keepRunning('PostgreSQL', start, around.tell)
  return { kept, url }
}

async function postgresPort({ config, env }: Surroundings): Promise<number> {
  const isFree = await isPortFree({ port: config.POSTGRES_PORT })
  return isFree || env.POSTGRES_PORT ? config.POSTGRES_PORT : freePort()
}

/** The Temporal server in the data directory. */
export async function keepTemporal({ config, guard, tell }: Surroundings): Promise<Kept> {
  const program = await ensureTemporalServer()
  const dataDir = config.REELGATE_DATA_DIR
  const log = openLog(dataDir, 'temporal')
  const ports = { port: config.TEMPORAL_PORT, uiPort: config.TEMPORAL_UI_PORT }
  const start = async () => {
    const server = await startTemporal({ program, dataDir, ...ports, log, guard })
    endOnceStuck(server, tell)
    return server.child
  }
  return keepRunning('Temporal', start, tell)
}

/** One of our own processes, and how to see that it is ready. */
export interface OwnProcess {
  name: string
  script: string
  /** Answers 2xx once the process serves. */
  healthUrl?: string
  /** Appears in the output once the process works, where there is nothing to ask. */
  readyWords?: string
}

/** One of our own processes, started with the environment of `around`. */
export async function keepProcess(process: OwnProcess, around: Surroundings): Promise<Kept> {
  const log = openLog(around.config.REELGATE_DATA_DIR, process.name)
  const start = async () => {
    const child = startChild({
      program: pinnedNode,
      args: ['--no-warnings', join(projectDir, process.script)],
      cwd: projectDir,
      env: around.env,
      log,
      guard: around.guard,
    })
    await awaitReady(process, child)
    return child
  }
  return keepRunning(process.name, start, around.tell)
}

async function awaitReady(process: OwnProcess, child: Child): Promise<void> {
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

async function isReady({ healthUrl, readyWords }: OwnProcess, child: Child): Promise<boolean> {
  if (readyWords !== undefined && !child.hasWritten(readyWords)) return false
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
