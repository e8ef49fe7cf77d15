// Prepares the database schema, the bucket, and Temporal's namespace and search attributes. Run it
// before the processes of a new version start; `npm start` does the same itself. It may run
// repeatedly and concurrently.
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError, loadConfig, required } from '../config/config.ts'
import { DatabaseUnusableError } from '../db/await-database.ts'
import { migrate, NewerDatabaseError } from '../db/migrate.ts'
import { prepareStorage, StorageUnusableError } from '../storage/object-storage.ts'
import { openClient } from '../temporal/connect.ts'
import { ensureSearchAttributes } from '../temporal/prepare-temporal.ts'
import { ensureNamespace } from './temporal-namespace.ts'

/** A new namespace takes some seconds to reach every part of the server. */
const NAMESPACE_TIMEOUT_MS = 60_000
const RETRY_MS = 1_000

async function main(): Promise<void> {
  const config = loadConfig()
  const url = required(config.DATABASE_URL, 'DATABASE_URL')
  for (const name of await migrate(url)) process.stdout.write(`Applied ${name}\n`)
  await prepareStorage(config.storage)
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = config
  const client = openClient({ address, namespace })
  try {
    await retry(() => ensureNamespace(client, namespace))
    await retry(() => ensureSearchAttributes(client))
  } finally {
    await client.connection.close()
  }
}

async function retry(work: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + NAMESPACE_TIMEOUT_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(RETRY_MS)
    }
  }
}

const EXPECTED = [ConfigError, DatabaseUnusableError, NewerDatabaseError, StorageUnusableError]

try {
  await main()
} catch (error) {
  const isExpected = EXPECTED.some((kind) => error instanceof kind)
  if (!(error instanceof Error) || !isExpected) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
