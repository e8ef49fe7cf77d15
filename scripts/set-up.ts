// Once before the processes of a new version start: the database's schema, the bucket, Temporal's
// namespace and search attributes. Safe to repeat and to run twice at once. `npm start` needs it not.
import { setTimeout as sleep } from 'node:timers/promises'
import { isGrpcServiceError, type Connection } from '@temporalio/client'
import { ConfigError, loadConfig, required } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { NewerDatabaseError } from '../db/schema-version.ts'
import { FAILED_KEPT_DAYS } from '../domain/limits.ts'
import { prepareStorage } from '../storage/object-storage.ts'
import { openClient } from '../temporal/connect.ts'
import { ensureSearchAttributes } from '../temporal/prepare-temporal.ts'

// As long as the record of a delivery is kept; what is kept for less is deleted by the retention.
const RETENTION_SECONDS = FAILED_KEPT_DAYS * 24 * 3600
const ALREADY_EXISTS = 6
// A new namespace takes some seconds to reach every part of the server.
const PATIENCE_MS = 60_000

async function main(): Promise<void> {
  const config = loadConfig()
  for (const name of await migrate(required(config.DATABASE_URL, 'DATABASE_URL')))
    process.stdout.write(`Applied ${name}\n`)
  await prepareStorage(config.storage)
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = config
  const client = openClient({ address, namespace })
  try {
    await ensureNamespace(client.connection as Connection, namespace)
    await withPatience(() => ensureSearchAttributes(client))
  } finally {
    await client.connection.close()
  }
}

async function ensureNamespace(connection: Connection, namespace: string): Promise<void> {
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: RETENTION_SECONDS as never },
    })
  } catch (error) {
    if (!isGrpcServiceError(error) || Number(error.code) !== ALREADY_EXISTS) throw error
  }
}

async function withPatience(work: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(1_000)
    }
  }
}

try {
  await main()
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof NewerDatabaseError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
