import type { RequestListener, Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino, type Logger } from 'pino'
import { loadConfig, required, type Config } from '../config/config.ts'
import { openDatabase, type Database } from '../db/database.ts'
import { REQUEST_DEADLINES } from '../db/deadlines.ts'
import { awaitKnownSchema } from '../db/migrate.ts'
import type { MasterKeys } from '../security/sealing/sealing.ts'
import { createDrain, type Drain } from './drain.ts'
import { freeStartMemory } from './free-start-memory.ts'
import { createHttpServer } from './http-server.ts'
import { listen, type Address } from './listen.ts'
import type { Collection } from './monitoring/collector.ts'
import { serveMetrics } from './monitoring/serve-metrics.ts'
import { holdMasterKeys, openMasterKeys, readMasterKeys } from './open-master-keys.ts'
import { openTracing } from './open-tracing.ts'
import { compareOwnClock } from './own-clock.ts'
import type { RefusalBody } from './unreadable-requests.ts'

/** Time for running requests after the server has closed. */
const LAST_REQUESTS_MS = 5_000
const IDLE_CLOSE_INTERVAL_MS = 50

/** The dependencies of every serving process. */
export interface Foundation {
  config: Config
  logger: Logger
  db: Database
  masterKeys: MasterKeys
  /** Aborts when the process should stop, so that long polls end. */
  stopping: AbortSignal
  /** Registers work to do after the last response, before the database is closed. */
  beforeStop: (finish: () => Promise<void>) => void
}

interface Service {
  name: string
  address: (config: Config) => Address
  createApp: (foundation: Foundation) => Promise<RequestListener>
  /** What it reads for Prometheus beside what it counts. */
  collections?: (
    foundation: Pick<Foundation, 'config' | 'db' | 'beforeStop'>,
  ) => readonly Collection[]
  /** How long a request may take to arrive; 0 for no limit. Node's five minutes by default. */
  requestTimeoutMs?: number
  /** How long a client may take no byte of its response, and send none; no limit by default. */
  stallTimeoutMs?: number
  /** The body of the response to a request that does not reach the app. */
  refusalBody: (config: Config) => RefusalBody
}

/**
 * Serves an app until SIGTERM or SIGINT: after `DRAIN_DELAY_SECONDS` it accepts no more requests, and finishes those that
 * run. A process that cannot start reports the reason in one line and ends with status 1.
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
  collections = () => [],
  requestTimeoutMs,
  stallTimeoutMs,
  refusalBody,
}: Service): Promise<void> {
  const config = loadConfig()
  const givenKeys = readMasterKeys(config)
  const logger = pino({ level: config.LOG_LEVEL, name })
  const stopTracing = await openTracing(config.tracing, name, logger)
  const db = await openDatabase({
    url: required(config.DATABASE_URL, 'DATABASE_URL'),
    pooler: config.databasePooler,
    poolSize: config.DATABASE_POOL_SIZE,
    deadlines: REQUEST_DEADLINES,
  })
  await awaitKnownSchema(db, logger)
  const masterKeys = await openMasterKeys(db, givenKeys, logger)
  const finishing: (() => Promise<void>)[] = []
  const beforeStop = (finish: () => Promise<void>) => void finishing.push(finish)
  const stopping = new AbortController()
  const { signal } = stopping
  const app = await createApp({ config, logger, db, masterKeys, stopping: signal, beforeStop })
  const drain = createDrain(app)
  const server = createHttpServer(drain.listener, {
    logger,
    requestTimeoutMs,
    stallTimeoutMs,
    refusalBody: refusalBody(config),
  })
  if (config.metricsAddress) {
    const metrics = await serveMetrics({
      address: config.metricsAddress,
      collections: collections({ config, db, beforeStop }),
      logger,
    })
    beforeStop(() => metrics.close())
  }
  // So that the first response about its readiness counts the clock.
  await compareOwnClock(db.em.fork()).catch(() => {})
  freeStartMemory()
  await listen(server, address(config))
  const holding = holdMasterKeys(db, name, masterKeys)
  beforeStop(() => holding.stop())
  logger.info({ port: address(config).port }, `${name} is ready`)
  const delayMs = config.DRAIN_DELAY_SECONDS * 1000
  stopOnSignal({ server, drain, delayMs, stopping }, async () => {
    await Promise.allSettled(finishing.map((finish) => finish()))
    await stopTracing()
    await db.close(true)
  })
}

interface Running {
  server: Server
  drain: Drain
  /** From the end of readiness until the server closes. */
  delayMs: number
  stopping: AbortController
}

/**
 * Stops at SIGTERM and SIGINT: drains its clients, then takes no new requests, gives the running ones time, then calls
 * `finish`. Long polls end with the server: sooner, their clients would repeat them here. A second signal ends the
 * process at once.
 */
function stopOnSignal(
  { server, drain, delayMs, stopping }: Running,
  finish: () => Promise<void>,
): void {
  const stop = async (): Promise<void> => {
    drain.begin()
    await sleep(delayMs)
    stopping.abort()
    // Otherwise idle keep-alive connections would keep the server open until the last requests end.
    const closing = setInterval(() => server.closeIdleConnections(), IDLE_CLOSE_INTERVAL_MS)
    server.close(() => {
      clearInterval(closing)
      void finish()
    })
    setTimeout(() => server.closeAllConnections(), LAST_REQUESTS_MS).unref()
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop())
}
