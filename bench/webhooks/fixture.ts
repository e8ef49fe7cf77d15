import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { createAccount } from '../../commands/accounts/create-account.ts'
import { appendEvent } from '../../commands/events.ts'
import { openDatabase, type Database, type EntityManager } from '../../db/database.ts'
import { WebhookDelivery } from '../../db/entities/event.ts'
import { migrate } from '../../db/migrate.ts'
import { insertWebhookEndpoint } from '../../db/webhooks/write-webhook-endpoints.ts'
import {
  ensureTemporalServer,
  inheritedEnvironment,
  pinnedNode,
  projectDir,
} from '../../scripts/bootstrap/tools.mjs'
import { startChild, type Child } from '../../scripts/embedded/child.ts'
import { startGuard, type Guard } from '../../scripts/embedded/guard.ts'
import { freePort } from '../../scripts/embedded/ports.ts'
import { openRotatingLog } from '../../scripts/embedded/rotating-log.ts'
import { startTemporal } from '../../scripts/embedded/temporal.ts'
import { DEFAULT_NAMESPACES } from '../../scripts/temporal-namespace.ts'
import { parseMasterKeys, seal } from '../../security/sealing/sealing.ts'
import { endpointSecretContext } from '../../security/sealing/secret-contexts.ts'
import { createWebhookSecret } from '../../security/webhook-signature.ts'
import { openBenchServers, type BenchServers } from '../servers.ts'
import { startIpcProcess } from './ipc-process.ts'

/** A webhook that the receiver received, with the time of the machine's clock. */
export interface Arrival {
  deliveryId: number
  atMs: number
}

/** Events that were committed together. */
export interface Announcement {
  deliveryIds: number[]
  /** When the commit was requested, by the machine's clock; the relay can see the events after it. */
  committedAtMs: number
}

/** PostgreSQL, Temporal, a receiver and the anchor's worker, each in a separate process. */
export interface WebhookBenchFixture {
  db: Database
  /** Of the namespace of deliveries. */
  deliveries: Client
  /** Appends events of random accounts in one transaction; each event is one delivery. */
  announce(count: number): Promise<Announcement>
  /** Starts another worker of the queue `webhooks`. */
  startWorker(): Promise<void>
  /** Starts workflows of the anchor. */
  startAnchors(count: number): Promise<void>
  /** Returns how many workflows of this type the workers have completed. */
  countEnded(workflowType: string): Promise<number>
  /** Returns the webhooks that arrived since the last call. */
  takeArrivals(): Promise<Arrival[]>
  close(): Promise<void>
}

const ACCOUNTS = 16
const READY_TIMEOUT_MS = 60_000

/** Starts the services, the receiver and the anchor's worker, but no worker of the product. */
export async function openWebhookBenchFixture(): Promise<WebhookBenchFixture> {
  const servers = await openBenchServers('webhooks', [])
  const { folder, databaseUrl, masterKey } = servers
  const guard = startGuard()
  const temporal = await startTemporal({
    program: await ensureTemporalServer(),
    dataDir: folder,
    guard,
    port: await freePort(),
    uiPort: null,
    log: openRotatingLog(join(folder, 'temporal.log')),
  })
  await migrate(databaseUrl)
  const db = await openDatabase({ url: databaseUrl, poolSize: 4 })
  const connection = await Connection.connect({ address: temporal.address })
  const octet = () => randomInt(1, 251)
  const host = `127.${octet()}.${octet()}.${octet()}`
  const caFile = join(folder, 'receiver-ca.pem')
  const receiver = await startIpcProcess('bench/webhooks/receiver.ts', [host, caFile])
  const metrics = [await newAddress()]
  const anchorArguments = [temporal.address, ...metrics]
  const anchor = await startIpcProcess('bench/webhooks/anchor-worker.ts', anchorArguments)
  const accountIds = await makeAccounts(db, masterKey, `https://${host}:8443/hook`)
  const workers: Child[] = []
  return {
    db,
    deliveries: new Client({ connection, namespace: DEFAULT_NAMESPACES.deliveries }),
    announce: (count) => announce(db.em.fork(), accountIds, count),
    async startWorker() {
      const metricsAddress = await newAddress()
      const options = { temporalAddress: temporal.address, metricsAddress, caFile, guard }
      const worker = startWorkerProcess(servers, options)
      workers.push(worker)
      metrics.push(metricsAddress)
      await awaitReady(worker)
    },
    startAnchors: (count) => anchor.ask(count),
    countEnded: (workflowType) => sumEnded(metrics, workflowType),
    takeArrivals: () => receiver.ask('arrivals'),
    async close() {
      await Promise.all([anchor.stop(), ...workers.map((worker) => worker.stop())])
      await Promise.all([receiver.stop(), connection.close(), db.close(true)])
      await temporal.stop()
      await servers.close()
    },
  }
}

interface WorkerOptions {
  temporalAddress: string
  metricsAddress: string
  caFile: string
  guard: Guard
}

function startWorkerProcess(
  { folder, databaseUrl, masterKey }: BenchServers,
  { temporalAddress, metricsAddress, caFile, guard }: WorkerOptions,
): Child {
  const env = {
    ...inheritedEnvironment(),
    NODE_ENV: 'production',
    REELGATE_DATA_DIR: folder,
    WORKER_QUEUES: 'webhooks',
    MASTER_KEY: masterKey,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8',
    EGRESS_CA_FILE: caFile,
    METRICS_ADDRESS: metricsAddress,
  }
  const args = ['--no-warnings', join(projectDir, 'worker.ts')]
  const log = openRotatingLog(join(folder, 'workers.log'))
  const readyWords = 'worker is ready'
  return startChild({ program: pinnedNode, args, cwd: projectDir, env, guard, log, readyWords })
}

const newAddress = async (): Promise<string> => `127.0.0.1:${await freePort()}`

/** Reads the counters of the workers, because repeated queries would put load on the server. */
async function sumEnded(addresses: string[], workflowType: string): Promise<number> {
  const line = new RegExp(
    `^temporal_workflow_completed(?:_total)?\\{.*workflow_type="${workflowType}".*\\} (\\d+)$`,
    'm',
  )
  const texts = addresses.map(async (address) => (await fetch(`http://${address}/metrics`)).text())
  const counts = (await Promise.all(texts)).map((text) => Number(line.exec(text)?.[1] ?? 0))
  return counts.reduce((sum, count) => sum + count, 0)
}

async function awaitReady(worker: Child): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (!worker.hasWrittenReady()) {
    if (worker.end() !== null || Date.now() > deadline)
      throw new Error(`the worker did not start:\n${worker.lastLines()}`)
    await sleep(50)
  }
}

async function makeAccounts(db: Database, masterKey: string, url: string): Promise<number[]> {
  const accountIds: number[] = []
  for (let made = 0; made < ACCOUNTS; made += 1)
    accountIds.push(await makeAccount(db.em.fork(), masterKey, url))
  return accountIds
}

async function makeAccount(em: EntityManager, masterKey: string, url: string): Promise<number> {
  const keys = parseMasterKeys(masterKey)
  const accountId = await createAccount(em, keys, {
    name: 'Bench',
    protection: 'clearkey',
    storageLimitBytes: null,
  })
  const sealedSecret = seal(keys, createWebhookSecret(), endpointSecretContext(accountId))
  const endpoint = { accountId, url, events: ['video.ready' as const], sealedSecret }
  await em.transactional((tx) => insertWebhookEndpoint(tx, endpoint, 1))
  return accountId
}

const DATA = { id: 'f'.repeat(20), object: 'video', status: 'ready' } as const

const announce = (em: EntityManager, accountIds: number[], count: number): Promise<Announcement> =>
  em.transactional(async (tx) => {
    const eventIds: string[] = []
    for (let index = 0; index < count; index += 1) {
      // A random account, so that separate announcements are not all of one account.
      const accountId = accountIds[Math.floor(Math.random() * accountIds.length)] ?? 0
      eventIds.push(await appendEvent(tx, { accountId, type: 'video.ready', data: DATA }))
    }
    const fields = ['id'] as const
    const deliveries = await tx.find(WebhookDelivery, { eventId: { $in: eventIds } }, { fields })
    return { deliveryIds: deliveries.map(({ id }) => id), committedAtMs: Date.now() }
  })
