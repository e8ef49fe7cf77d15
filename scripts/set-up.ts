// Prepares the database schema, the bucket, and Temporal's namespaces and search attributes. Run it
// before the processes of a new version start; `npm start` does the same itself. It may run
// repeatedly and concurrently.
import { ConfigError, loadConfig, required } from '../config/config.ts'
import { DatabaseUnusableError } from '../db/await-database.ts'
import { migrate, NewerDatabaseError } from '../db/migrate.ts'
import { prepareStorage, StorageUnusableError } from '../storage/object-storage.ts'
import { NamespaceError } from '../temporal/ensure-namespace.ts'
import { ensureNamespaces } from './temporal-namespace.ts'

async function main(): Promise<void> {
  const config = loadConfig()
  const url = required(config.DATABASE_DIRECT_URL, 'DATABASE_URL')
  for (const name of await migrate(url)) process.stdout.write(`Applied ${name}\n`)
  await prepareStorage(config.storage)
  await ensureNamespaces(config.TEMPORAL_ADDRESS, config.namespaces)
}

const EXPECTED = [
  ConfigError,
  DatabaseUnusableError,
  NamespaceError,
  NewerDatabaseError,
  StorageUnusableError,
]

try {
  await main()
} catch (error) {
  const isExpected = EXPECTED.some((kind) => error instanceof kind)
  if (!(error instanceof Error) || !isExpected) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
