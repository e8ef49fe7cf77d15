import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import { pino } from 'pino'
import type { Logger } from 'pino'
import { loadConfig, required } from './config.ts'
import type { Config } from './config.ts'
import { openDatabase } from './db/database.ts'
import type { Database } from './db/database.ts'
import { REQUEST_DEADLINES } from './db/deadlines.ts'
import { openMasterKeys } from './open-master-keys.ts'
import type { MasterKeys } from './security/sealing.ts'

/** How long answers under way may take once the process is asked to end. */
const DRAIN_MS = 5_000
const SWEEP_MS = 50

/** What every serving process has. */
interface Foundation {
  config: Config
  logger: Logger
  db: Database
  masterKeys: MasterKeys
  /** Aborts when the process is asked to end: whoever only waits is to be answered then. */
  stopping: AbortSignal
  /** Registers what is still to be done once the last answer was sent and the database is there. */
  beforeStop: (finish: () => Promise<void>) => void
}

interface Service {
  name: string
  address: (config: Config) => { host: string; port: number }
  createApp: (foundation: Foundation) => Promise<RequestListener>
  /** Called with the server before it listens to anybody. */
  prepare?: (server: Server, config: Config) => void
}

/**
 * Serves an app until SIGTERM or SIGINT; requests under way are answered first. A process that
 * cannot begin says why in one line and ends with 1.
 */
export function serve(service: Service): void {
  start(service).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  })
}

async function start({ name, address, createApp, prepare }: Service): Promise<void> {
  const config = loadConfig()
  const logger = pino({ level: config.LOG_LEVEL, name })
  const db = await openDatabase({
    url: required(config.DATABASE_URL, 'DATABASE_URL'),
    poolSize: config.DATABASE_POOL_SIZE,
    deadlines: REQUEST_DEADLINES,
  })
  const masterKeys = await openMasterKeys(db, required(config.MASTER_KEY, 'MASTER_KEY'), logger)
  const finishing: (() => Promise<void>)[] = []
  const beforeStop = (finish: () => Promise<void>) => void finishing.push(finish)
  const stopping = new AbortController()
  const { signal } = stopping
  const app = await createApp({ config, logger, db, masterKeys, stopping: signal, beforeStop })
  const { host, port } = address(config)
  const server = createServer(app)
  server.listen(port, host, () => logger.info({ port }, `${name} is ready`))
  prepare?.(server, config)
  const stop = (): void => {
    stopping.abort()
    // A connection that is kept alive would hold the server until the drain is over.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
    server.close(() => {
      clearInterval(sweep)
      const finished = Promise.allSettled(finishing.map((finish) => finish()))
      void finished.then(() => db.close(true))
    })
    setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref()
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}
