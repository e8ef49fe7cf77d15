import type { Client } from '@temporalio/client'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/database.ts'
import { pingDatabase } from '../../db/upkeep/health.ts'
import { NotReadyError } from '../readiness-error.ts'
import { diskSpace } from './disk-space.ts'
import { serveMetrics } from './serve-metrics.ts'

interface WorkerParts {
  db: Database
  storage: { check(): Promise<void> }
  /** The client of Temporal; null until the worker has its workflows. */
  clientOf: () => Client | null
  /** The metrics of the Temporal SDK, if it has any. */
  readSdkMetrics: (() => Promise<string>) | undefined
  logger: Logger
}

const TEMPORAL_DEADLINE_MS = 2_000

/** Serves Prometheus, and health checks, at the address for it. Does nothing if the operator has given none. */
export async function serveWorkerMetrics(
  { metricsAddress, storage, WORK_DIR }: Config,
  parts: WorkerParts,
): Promise<{ close(): Promise<void> } | null> {
  if (!metricsAddress) return null
  return serveMetrics({
    address: metricsAddress,
    collections: [
      diskSpace({
        scratch: WORK_DIR,
        ...(storage.driver === 'folder' && { storage: storage.dir }),
      }),
    ],
    readOthers: parts.readSdkMetrics,
    readiness: {
      database: () => pingDatabase(parts.db.em.fork()),
      storage: () => parts.storage.check(),
      temporal: () => checkTemporal(parts.clientOf()),
    },
    logger: parts.logger,
  })
}

async function checkTemporal(client: Client | null): Promise<void> {
  if (!client) throw new NotReadyError('has not been reached yet')
  const { namespace } = client.options
  await client.withDeadline(Date.now() + TEMPORAL_DEADLINE_MS, () =>
    client.workflowService.describeNamespace({ namespace }),
  )
}
