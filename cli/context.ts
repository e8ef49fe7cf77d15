import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../config.ts'
import type { Config } from '../config.ts'
import { openDatabase } from '../db/database.ts'
import type { Database, EntityManager } from '../db/database.ts'
import { COMMAND_DEADLINES } from '../db/deadlines.ts'
import { checkMasterKeys } from '../processes/open-master-keys.ts'
import { parseMasterKeys } from '../security/sealing.ts'
import type { MasterKeys } from '../security/sealing.ts'
import { CliError } from './errors.ts'
import type { Output } from './output.ts'
import { readRuntime, readTextFile } from './runtime-file.ts'
import type { Runtime } from './runtime-file.ts'

/** The options that every verb takes. */
export interface GlobalOptions {
  json?: boolean
  dataDir?: string
}

/** What a verb works with; everything is opened when it is first asked for. */
export interface Context {
  config: Config
  dataDir: string
  out: Output
  /** The running instance of this data directory, or null. */
  runtime: Runtime | null
  /** Whether Multi-DRM plans can protect videos: what the running instance says, else DRM_SPEKE_URL. */
  hasDrmProvider: boolean
  /** A unit of work of its own. Throws a CliError where there is no database to talk to. */
  entityManager(): Promise<EntityManager>
  /**
   * From MASTER_KEY or `DATA_DIR/master.key`. Throws a CliError if both are missing, a SealingError
   * where they are not those of the database.
   */
  masterKeys(): Promise<MasterKeys>
  /** The same, not held against the database. */
  uncheckedMasterKeys(): Promise<MasterKeys>
  /** postgres://…, from DATABASE_URL or the running instance. Throws a CliError where there is neither. */
  databaseUrl(): string
  /** host:port of Temporal. */
  temporalAddress(): string
  close(): Promise<void>
}

const CLOSE_MS = 500

/** Finds the instance that this command line is about. Throws a ConfigError for a bad variable. */
export async function openContext(options: GlobalOptions, out: Output): Promise<Context> {
  const config = loadConfig()
  const dataDir = options.dataDir ? resolve(options.dataDir) : config.REELGATE_DATA_DIR
  const runtime = await readRuntime(dataDir)
  let database: Promise<Database> | undefined

  const databaseUrl = () => {
    const url = config.DATABASE_URL ?? runtime?.databaseUrl
    if (url) return url
    throw new CliError(
      `Nothing is running on ${dataDir} and DATABASE_URL is not set: start it first: npm start`,
      { code: 'instance_not_running' },
    )
  }
  const entityManager = async () => {
    const options = { url: databaseUrl(), poolSize: 2, deadlines: COMMAND_DEADLINES }
    database ??= openDatabase(options)
    return (await database).em.fork()
  }
  const uncheckedMasterKeys = () => readMasterKeys(config, dataDir)
  return {
    config,
    dataDir,
    out,
    runtime,
    hasDrmProvider: runtime?.hasDrmProvider ?? config.hasDrmProvider,
    databaseUrl,
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
    // A server that has fallen silent does not keep the command.
    close: async () => {
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
    `There is no master key: set MASTER_KEY, or start once (npm start makes ${path})`,
    { code: 'master_key_unusable' },
  )
}
