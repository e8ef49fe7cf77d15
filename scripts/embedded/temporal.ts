import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { ACCOUNT_ID, VIDEO_ID, VIDEO_STATUS, type Namespaces } from '../../temporal/names.ts'
import { projectDir } from '../bootstrap/tools.mjs'
import { allOf, DEFAULT_NAMESPACES, prepareEmbeddedNamespaces } from '../temporal-namespace.ts'
import { startChild, type Child } from './child.ts'
import { readDynamicConfig } from './dynamic-config.ts'
import type { Guard } from './guard.ts'
import { takeStore } from './temporal-store.ts'

export interface TemporalServerOptions {
  /** Path of the official command line `temporal`. */
  program: string
  /** The folder that holds `temporal/`. */
  dataDir: string
  port: number
  /** Null for no Web UI. */
  uiPort: number | null
  /** DEFAULT_NAMESPACES by default. */
  namespaces?: Namespaces
  /** More of Temporal's dynamic configuration, each as `KEY=JSON`. */
  settings?: readonly string[]
  log: Writable
  guard: Guard
}

export interface TemporalServer {
  /** host:port of the gRPC frontend. */
  address: string
  child: Child
  stop(): Promise<void>
}

const READY_TIMEOUT_MS = 60_000
const PROBE_MS = 2_000

/** Measured: twice the throughput of SQLite's defaults, and kill -9 still loses nothing. */
const PRAGMAS = ['journal_mode=wal', 'synchronous=normal']
/** By default, the command line makes each read of search attributes one of the store, with only one at a time. */
const AS_IN_PRODUCTION = ['system.forceSearchAttributesCacheRefreshOnRead=false']
const SEARCH_ATTRIBUTES = [ACCOUNT_ID, VIDEO_ID, VIDEO_STATUS]
/** The command line would take the value of any option from a file of the user's home. Its two words stand apart, which it needs. */
const WITHOUT_SETTINGS_OF_THE_USER = ['--env-file', '/dev/null', '--env', 'default']

/** Production has the same settings. */
const DYNAMIC_CONFIG = join(projectDir, 'deploy/temporal-dynamic-config.yaml')

/**
 * Starts the embedded Temporal server on the loopback interface. Resolves when it responds and its
 * namespaces have the search attributes and the retention that the workflows need.
 */
export async function startTemporal(options: TemporalServerOptions): Promise<TemporalServer> {
  const folder = join(options.dataDir, 'temporal')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const child = startChild({
    program: options.program,
    args: serverArguments(options, takeStore(folder)),
    cwd: folder,
    log: options.log,
    guard: options.guard,
  })
  const address = `127.0.0.1:${options.port}`
  try {
    await awaitReady(address, options.namespaces ?? DEFAULT_NAMESPACES, child)
  } catch (error) {
    await child.stop()
    throw error
  }
  return { address, child, stop: () => child.stop() }
}

function serverArguments(
  { port, uiPort, namespaces = DEFAULT_NAMESPACES, settings: more = [] }: TemporalServerOptions,
  storeFile: string,
): string[] {
  const config = readDynamicConfig(readFileSync(DYNAMIC_CONFIG, 'utf8'))
  const settings = [...config, ...AS_IN_PRODUCTION, ...more]
  return [
    'server',
    'start-dev',
    '--ip=127.0.0.1',
    `--port=${port}`,
    ...(uiPort === null ? ['--headless'] : [`--ui-port=${uiPort}`, '--ui-disable-news-fetch']),
    `--db-filename=${storeFile}`,
    ...PRAGMAS.map((pragma) => `--sqlite-pragma=${pragma}`),
    ...settings.map((setting) => `--dynamic-config-value=${setting}`),
    ...allOf(namespaces).map((namespace) => `--namespace=${namespace}`),
    // Only a new store takes them from here; they are usable at once.
    ...SEARCH_ATTRIBUTES.map(({ name, type }) => `--search-attribute=${name}=${type}`),
    '--log-format=json',
    '--log-level=warn',
    ...WITHOUT_SETTINGS_OF_THE_USER,
  ]
}

async function awaitReady(address: string, namespaces: Namespaces, child: Child): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  for (;;) {
    try {
      return await prepareEmbeddedNamespaces(address, namespaces, PROBE_MS)
    } catch (error) {
      const end = child.end()
      if (end !== null) throw new Error(`Temporal ended with ${end}:\n${child.lastLines()}`)
      if (Date.now() > deadline)
        throw new Error('Temporal did not respond in time', { cause: error })
      await sleep(100)
    }
  }
}
