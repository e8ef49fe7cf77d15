import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server, ServerOptions } from 'node:http'
import { pino } from 'pino'
import type { Logger } from 'pino'
import { loadConfig, required } from '../config.ts'
import type { Config } from '../config.ts'
import { openDatabase } from '../db/database.ts'
import type { Database } from '../db/database.ts'
import { REQUEST_DEADLINES } from '../db/deadlines.ts'
import { awaitKnownSchema } from '../db/migrate.ts'
import { openMasterKeys } from './open-master-keys.ts'
import type { MasterKeys } from '../security/sealing.ts'

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
  serverOptions?: ServerOptions
  /** Called with the server before it listens to anybody. */
  prepare?: (server: Server, foundation: Pick<Foundation, 'config' | 'logger'>) => void
}

/**
 * Serves an app until SIGTERM or SIGINT; requests under way are answered first. A process that
 * cannot begin says why in one line and ends with 1.
 */
export function serve(service: Service): void {
  start(service).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  })
}

async function start({
  name,
  address,
  createApp,
  serverOptions = {},
  prepare,
}: Service): Promise<void> {
  const config = loadConfig()
  const logger = pino({ level: config.LOG_LEVEL, name })
  const db = await openDatabase({
    url: required(config.DATABASE_URL, 'DATABASE_URL'),
    poolSize: config.DATABASE_POOL_SIZE,
    deadlines: REQUEST_DEADLINES,
  })
  await awaitKnownSchema(db, logger)
  const masterKeys = await openMasterKeys(db, required(config.MASTER_KEY, 'MASTER_KEY'), logger)
  const finishing: (() => Promise<void>)[] = []
  const beforeStop = (finish: () => Promise<void>) => void finishing.push(finish)
  const stopping = new AbortController()
  const { signal } = stopping
  const app = await createApp({ config, logger, db, masterKeys, stopping: signal, beforeStop })
  const server = createServer(serverOptions, app)
  prepare?.(server, { config, logger })
  await listen(server, address(config))
  logger.info({ port: address(config).port }, `${name} is ready`)
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

/** Resolves when the server listens. Throws with one line when the port is taken or not allowed. */
async function listen(server: Server, { host, port }: { host: string; port: number }) {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'EADDRINUSE' ? 'another program uses it' : message
    throw new Error(`Port ${port} of ${host} cannot be used: ${why}.`, { cause: error })
  }
}
