import { createServer } from 'node:http'
import express, { type NextFunction, type Request, type Response } from 'express'
import type { Logger } from 'pino'
import { collectDefaultMetrics } from 'prom-client'
import { collectionFailures } from '../../metrics/process.ts'
import { registry } from '../../metrics/registry.ts'
import { listen, type Address } from '../listen.ts'
import { reportReadiness, type ReadinessChecks } from '../readiness.ts'
import { within } from '../within.ts'
import { createCollector, type Collection } from './collector.ts'

export interface MetricsOptions {
  address: Address
  /** What is read when Prometheus asks. */
  collections: readonly Collection[]
  /** Metrics of another registry, in Prometheus' text format; none by default. */
  readOthers?: (() => Promise<string>) | undefined
  /** For a process that has no other port: `GET /healthz` and `GET /readyz` are served here too. */
  readiness?: ReadinessChecks
  logger: Logger
}

const OTHERS_DEADLINE_MS = 2_000
const COLLECTION_OF_OTHERS = 'temporal-sdk'

/** Gauges of prom-client under the names of counters. Others have the same numbers by kind. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

function collectMetricsOfNode(): void {
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
}

/**
 * Serves `GET /metrics` in Prometheus' text format, at an address of its own that is not public. Throws an error with
 * one line if the port cannot be used.
 */
export async function serveMetrics(options: MetricsOptions): Promise<{ close(): Promise<void> }> {
  const { address, collections, readiness, logger } = options
  collectMetricsOfNode()
  const collect = createCollector(collections, (collection, error) =>
    logger.warn({ err: error, collection }, 'values for metrics could not be read'),
  )
  const app = express()
  app.disable('x-powered-by')
  app.get('/metrics', async (_request, response) => {
    const [others] = await Promise.all([readOthers(options), collect()])
    response.type(registry.contentType).send((await registry.metrics()) + others)
  })
  if (readiness) {
    app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
    app.get('/readyz', reportReadiness(readiness, { logger }))
  }
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    logger.error({ err: error }, 'metrics could not be served')
    response.status(500).end()
  })
  const server = createServer(app)
  await listen(server, address)
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function readOthers({ readOthers: read, logger }: MetricsOptions): Promise<string> {
  if (!read) return ''
  try {
    return await within(OTHERS_DEADLINE_MS, read())
  } catch (error) {
    collectionFailures.inc({ collection: COLLECTION_OF_OTHERS })
    logger.warn({ err: error }, 'metrics of the Temporal SDK could not be read')
    return ''
  }
}
