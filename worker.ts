import { hostname } from 'node:os'
import { Client } from '@temporalio/client'
import { Runtime, Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker'
import { pino, type Logger } from 'pino'
import type { ActivityDeps } from './activities/deps.ts'
import {
  createDownloadActivities,
  downloadWorkerOptions,
} from './activities/download/download-activities.ts'
import { createEncodeActivities } from './activities/encode/encode-activities.ts'
import { createIngestActivities } from './activities/ingest/ingest-activities.ts'
import { noteRunning } from './activities/scratch/running-activities.ts'
import { startSweeps } from './activities/scratch/start-sweeps.ts'
import { claimWorkerFolder, type WorkerFolder } from './activities/scratch/worker-folder.ts'
import { webhookWorkerOptions } from './activities/webhooks/webhook-activities.ts'
import { ConfigError, loadConfig, required, type Config } from './config/config.ts'
import { awaitDatabase, DatabaseUnusableError } from './db/await-database.ts'
import { openDatabase } from './db/database.ts'
import { WORKER_DEADLINES } from './db/deadlines.ts'
import { awaitKnownSchema, NewerDatabaseError } from './db/migrate.ts'
import { requireSessions } from './db/pooling.ts'
import { startBeating } from './db/upkeep/write-worker-beats.ts'
import { BEAT_EVERY_MS } from './domain/ingest/ingest.ts'
import { createKeyProviders, type KeyServer } from './drm/key-providers.ts'
import { KeyServerFilesError, openKeyServer } from './drm/speke/open-key-server.ts'
import { ownerTie } from './media/tie-to-owner.ts'
import { startRelay } from './outbox/relay.ts'
import { serveWorkerMetrics } from './processes/monitoring/serve-worker-metrics.ts'
import { openEgress } from './processes/open-egress.ts'
import { holdMasterKeys, openMasterKeys, readMasterKeys } from './processes/open-master-keys.ts'
import { openTracing } from './processes/open-tracing.ts'
import { awaitOwnClock, watchOwnClock } from './processes/own-clock.ts'
import { keepBuilt } from './processes/prebuilt.ts'
import { SealingError, type MasterKeys } from './security/sealing/sealing.ts'
import { createStorage } from './storage/object-storage.ts'
import { connectWorker } from './temporal/connect-worker.ts'
import { ensureDeliveriesNamespace, NamespaceError } from './temporal/ensure-namespace.ts'
import { installRuntime, installRuntimeWithMetrics } from './temporal/install-runtime.ts'
import { namespaceOf, TASK_QUEUES, WORKFLOW_QUEUES, type TaskQueue } from './temporal/names.ts'
import { queuesOf } from './temporal/queues-of.ts'
import { createSdkLogger } from './temporal/sdk-logger.ts'
import { loadWorkflowBundle } from './temporal/workflow-bundle.ts'
import { traceStarts, WORKER_TRACING } from './tracing/temporal-interceptors.ts'

/**
 * The workers of this queue have a relay: the first attempt of a delivery then runs in the process that starts its
 * workflow (ADR 0007), and an encoder that comes and goes with the load claims no requests.
 */
const RELAY_QUEUE = 'webhooks'

/** Runs the configured task queues, and a relay beside the queue `webhooks`, until SIGTERM or SIGINT. */
async function main(): Promise<void> {
  const config = loadConfig()
  const givenKeys = readMasterKeys(config)
  const logger = pino({ level: config.LOG_LEVEL, name: 'worker' })
  const stopTracing = await openTracing(config.tracing, 'worker', logger)
  const readSdkMetrics = await prepareRuntime(config, logger)
  if (ownerTie() === 'pipe')
    logger.info('setpriv of util-linux is missing: a second shell ends each tool with this process')
  const own = await claimWorkerFolder(config.WORK_DIR)
  const deps = await createDeps(config, givenKeys, own, logger)
  const hasRelay = config.WORKER_QUEUES.includes(RELAY_QUEUE)
  const directUrl = required(config.DATABASE_DIRECT_URL, 'DATABASE_DIRECT_URL')
  if (hasRelay) await awaitDatabase(() => requireSessions(directUrl), logger)
  let startedClient: Client | null = null
  const clientOf = () => startedClient
  const metrics = await serveWorkerMetrics(config, { ...deps, clientOf, readSdkMetrics })
  const holding = holdMasterKeys(deps.db, 'worker', deps.masterKeys)
  await awaitClock(deps)
  const connection = await connectWorker(config.TEMPORAL_ADDRESS, logger)
  // With a shared connection, the server may return a workflow's first task in the response to its start.
  const client = new Client({
    connection,
    namespace: config.namespaces.main,
    interceptors: { workflow: [traceStarts] },
  })
  if (queuesOf(config).includes('deliveries'))
    await ensureDeliveriesNamespace(client, config.namespaces)
  const workers = await createWorkers(config, { ...deps, client }, connection)
  startedClient = client
  const relay = hasRelay
    ? await startRelay({
        db: deps.db,
        databaseUrl: directUrl,
        client,
        deliveriesNamespace: config.namespaces.deliveries,
        logger,
      })
    : null
  const endSweeps = startSweeps({ ...deps, client })
  const identity = `${process.pid}@${hostname()}`
  const beats = startBeating(() => deps.db.em.fork(), identity, {
    queues: queuesOf(config),
    deliveriesNamespace: config.namespaces.deliveries,
  })
  // Scripts that start the worker wait for this line, so it is logged at every level.
  logger.child({}, { level: 'info' }).info(workerFacts(config, hasRelay), 'worker is ready')
  const endWatch = watchOwnClock(logger, () => {
    process.exitCode = 1
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
  })
  try {
    // Each worker stops at SIGTERM and SIGINT, and cancels its activities.
    await Promise.all(workers.map((worker) => worker.run()))
  } finally {
    endSweeps()
    endWatch()
    await Promise.all([beats.stop(), holding.stop(), metrics?.close()])
    await relay?.stop()
    await connection.close()
    await deps.db.close(true)
    await stopTracing()
    await own.release()
  }
}

/** What alerts about work that waits lead to: which queues this worker serves, at which Temporal. */
const workerFacts = (config: Config, hasRelay: boolean) => ({
  queues: queuesOf(config),
  hasRelay,
  temporal: config.TEMPORAL_ADDRESS,
  namespace: config.namespaces.main,
  deliveriesNamespace: config.namespaces.deliveries,
  downloadSlots: config.DOWNLOAD_SLOTS,
  encodeSlots: config.ENCODE_SLOTS,
  webhookSlots: config.WEBHOOK_SLOTS,
})

/** Returns a function that reads the metrics of the Temporal SDK; undefined if there are none. */
async function prepareRuntime(
  config: Config,
  logger: Logger,
): Promise<(() => Promise<string>) | undefined> {
  const options = { logger: createSdkLogger(logger) }
  if (config.metricsAddress) return installRuntimeWithMetrics(options)
  installRuntime(options)
}

async function createDeps(
  config: Config,
  givenKeys: MasterKeys,
  own: WorkerFolder,
  logger: Logger,
): Promise<Omit<ActivityDeps, 'client'>> {
  const db = await openDatabase({
    url: required(config.DATABASE_URL, 'DATABASE_URL'),
    pooler: config.databasePooler,
    poolSize: config.DATABASE_POOL_SIZE,
    deadlines: WORKER_DEADLINES,
  })
  await awaitKnownSchema(db, logger)
  const masterKeys = await openMasterKeys(db, givenKeys, logger)
  const egress = await openEgress(config, logger)
  return {
    db,
    masterKeys,
    egress,
    storage: createStorage(config.storage, undefined, (operation) =>
      logger.warn({ operation }, 'the storage lacks an operation: objects are deleted one by one'),
    ),
    keyProvider: createKeyProviders({
      egress,
      keyModel: config.DRM_KEY_MODEL,
      keySharing: config.DRM_KEYS,
      speke: await openSpeke(config),
    }),
    encodeMode: config.ENCODE_MODE,
    workDir: config.WORK_DIR,
    ownDir: own.path,
    deliveriesNamespace: config.namespaces.deliveries,
    logger,
  }
}

/** The key server of Multi-DRM videos. Throws a ConfigError that names the files of its certificate. */
async function openSpeke({ speke }: Config): Promise<KeyServer | null> {
  try {
    return await openKeyServer(speke)
  } catch (error) {
    throw error instanceof KeyServerFilesError ? new ConfigError(error.message) : error
  }
}

/**
 * Waits until the clock of this process is right: it would sign deliveries that receivers refuse and write events from
 * the future (ADR 0053). Ends the process if it is asked to stop meanwhile.
 */
async function awaitClock({ db, logger }: Pick<ActivityDeps, 'db' | 'logger'>): Promise<void> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  const signals = ['SIGTERM', 'SIGINT'] as const
  for (const signal of signals) process.once(signal, stop)
  await awaitOwnClock(() => db.em.fork(), logger, stopping.signal)
  for (const signal of signals) process.off(signal, stop)
  if (stopping.signal.aborted) process.exit(0)
}

async function createWorkers(
  config: Config,
  deps: ActivityDeps,
  connection: NativeConnection,
): Promise<Worker[]> {
  const workflowBundle = await loadWorkflowBundle(
    config.PREBUILT_DIR,
    Runtime.instance().logger,
    keepBuilt,
  )
  const activity = [...WORKER_TRACING.interceptors.activity, noteRunning(deps.ownDir)]
  const common = {
    connection,
    shutdownGraceTime: '2 seconds',
    ...WORKER_TRACING,
    interceptors: { activity },
    // Each is a write of Temporal. A cancellation arrives with the response to one, so it takes as long at most.
    maxHeartbeatThrottleInterval: BEAT_EVERY_MS,
  } as const
  const queues = queueOptions(config, deps)
  return Promise.all(
    queuesOf(config).map((queue) => {
      const taskQueue = TASK_QUEUES[queue]
      const bundle = WORKFLOW_QUEUES.includes(queue) ? { workflowBundle } : {}
      const namespace = namespaceOf(queue, config.namespaces)
      return Worker.create({ ...common, ...bundle, ...queues[queue], namespace, taskQueue })
    }),
  )
}

/** The worker options of each task queue. */
function queueOptions(
  config: Config,
  deps: ActivityDeps,
): Record<TaskQueue, Partial<WorkerOptions>> {
  // Workflows from before `download` have downloads in `ingest`; a worker without slots makes them one by one.
  const downloadSlots = Math.max(1, config.DOWNLOAD_SLOTS)
  const downloads = createDownloadActivities(deps, downloadSlots)
  const steps = createIngestActivities(deps)
  const { prepareEncoding } = steps
  // An activity occupies an encoder, so a worker takes no more of them than it can run.
  const encoders = {
    activities: createEncodeActivities(deps),
    maxConcurrentActivityTaskExecutions: config.ENCODE_SLOTS,
  }
  // The same activities for both queues, so that they share the slots of attempts.
  const webhooks = webhookWorkerOptions({
    ...deps,
    embedBase: config.EMBED_BASE_URL,
    attemptsInFlight: config.WEBHOOK_SLOTS,
    attemptsAtEndpoint: config.WEBHOOK_ENDPOINT_SLOTS,
    retention: config.retention,
    hasDrmProvider: config.hasDrmProvider,
  })
  return {
    ingest: { activities: { ...steps, ...downloads } },
    download: downloadWorkerOptions(downloads, downloadSlots),
    'encode-first': encoders,
    // A video of a backlog waits for an encoder before it is prepared.
    encode: { ...encoders, activities: { ...encoders.activities, prepareEncoding } },
    webhooks,
    deliveries: webhooks,
  }
}

const EXPECTED = [
  ConfigError,
  DatabaseUnusableError,
  NamespaceError,
  NewerDatabaseError,
  SealingError,
]

main().catch((error: unknown) => {
  const isExpected = EXPECTED.some((one) => error instanceof one)
  const text = error instanceof Error ? (isExpected ? error.message : error.stack) : error
  process.stderr.write(`${String(text)}\n`)
  process.exit(1)
})
