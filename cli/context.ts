import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig, type Config } from '../config/config.ts'
import { openDatabase, type Database, type EntityManager } from '../db/database.ts'
import { CLI_DEADLINES } from '../db/deadlines.ts'
import { refuseNewerDatabase } from '../db/migrate.ts'
import type { Pooler } from '../db/through-pooler.ts'
import { checkMasterKeys } from '../processes/open-master-keys.ts'
import { readRuntime, readTextFile, type Runtime } from '../processes/runtime-file.ts'
import { parseMasterKeys, type MasterKeys } from '../security/sealing/sealing.ts'
import { CliError } from './errors.ts'
import type { Output } from './output.ts'

/** The options that every verb takes. */
export interface GlobalOptions {
  json?: boolean
  dataDir?: string
}

/** The instance that a verb works with. Connections open on first use. */
export interface Context {
  config: Config
  dataDir: string
  out: Output
  /** The running instance of this data folder, or null. */
  runtime: Runtime | null
  /** Where viewers reach the player, without a trailing slash. */
  embedBase: string
  /** Where members reach the dashboard, without a trailing slash. */
  dashboardBase: string
  /** Whether Multi-DRM plans can protect and play videos, from the running instance or the environment. */
  hasDrmProvider: boolean
  /**
   * Opens a separate unit of work. Throws a CliError if no database is known, and a NewerDatabaseError
   * if a newer version has migrated it.
   */
  entityManager(): Promise<EntityManager>
  /**
   * Reads MASTER_KEY or `DATA_DIR/master.key`. Throws a CliError if both are missing, and a
   * SealingError if the keys are not those of the database.
   */
  masterKeys(): Promise<MasterKeys>
  /** The same without the comparison with the database. */
  uncheckedMasterKeys(): Promise<MasterKeys>
  /** postgres://…, from DATABASE_URL or the running instance. Throws a CliError if neither is known. */
  databaseUrl(): string
  /** The same without a pooler: DATABASE_DIRECT_URL, if it is set. */
  databaseDirectUrl(): string
  /** host:port of Temporal. */
  temporalAddress(): string
  close(): Promise<void>
}

const CLOSE_MS = 500

/** Finds the instance of this command line. Throws a ConfigError for a bad variable of `environment`. */
export async function openContext(
  options: GlobalOptions,
  out: Output,
  environment?: NodeJS.ProcessEnv,
): Promise<Context> {
  const config = loadConfig(environment)
  const dataDir = options.dataDir ? resolve(options.dataDir) : config.REELGATE_DATA_DIR
  const runtime = await readRuntime(dataDir)
  const known = (url: string | undefined) => {
    if (url) return url
    throw new CliError(
      `Nothing is running on ${dataDir} and DATABASE_URL is not set: start it first: npm start`,
      { code: 'instance_not_running' },
    )
  }
  const databaseUrl = () => known(config.DATABASE_URL ?? runtime?.databaseUrl)
  const { entityManager, close } = openWhenNeeded(databaseUrl, config.databasePooler)
  const uncheckedMasterKeys = () => readMasterKeys(config, dataDir)
  return {
    config,
    dataDir,
    out,
    runtime,
    embedBase: runtime?.player ?? config.EMBED_BASE_URL,
    dashboardBase: runtime?.dashboard ?? config.DASHBOARD_BASE_URL,
    hasDrmProvider: runtime?.hasDrmProvider ?? config.hasDrmProvider,
    databaseUrl,
    databaseDirectUrl: () => known(config.DATABASE_DIRECT_URL ?? runtime?.databaseUrl),
    entityManager,
    uncheckedMasterKeys,
    temporalAddress: () =>
      config.hasOwnTemporal
        ? config.TEMPORAL_ADDRESS
        : (runtime?.temporalAddress ?? config.TEMPORAL_ADDRESS),
    async masterKeys() {
      const masterKeys = await uncheckedMasterKeys()
      await checkMasterKeys(await entityManager(), masterKeys)
      return masterKeys
    },
    close,
  }
}

/** The database of a command line; its first `entityManager` connects. */
function openWhenNeeded(databaseUrl: () => string, pooler: Pooler | null) {
  let database: Promise<Database> | undefined
  let checked: Promise<void> | undefined
  return {
    entityManager: async (): Promise<EntityManager> => {
      const options = { url: databaseUrl(), pooler, poolSize: 2, deadlines: CLI_DEADLINES }
      database ??= openDatabase(options)
      const opened = await database
      await (checked ??= refuseNewerDatabase(opened))
      return opened.em.fork()
    },
    // Does not wait long for a server that does not respond.
    close: async (): Promise<void> => {
      const closing = database?.then((opened) => opened.close(true))
      await Promise.race([closing, sleep(CLOSE_MS, undefined, { ref: false })])
    },
  }
}

async function readMasterKeys(config: Config, dataDir: string): Promise<MasterKeys> {
  const path = join(dataDir, 'master.key')
  const text = config.MASTER_KEY ?? (await readTextFile(path))
  if (text !== null) return parseMasterKeys(text.trim())
  throw new CliError(
    `There is no master key: set MASTER_KEY, or start once (npm start creates ${path})`,
    { code: 'master_key_unusable' },
  )
}
