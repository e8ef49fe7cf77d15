import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { startChild, type Child } from './child.ts'
import type { Guard } from './guard.ts'
import { projectDir } from '../bootstrap/tools.mjs'
import { prepareEmbeddedNamespace } from '../temporal-namespace.ts'

export interface TemporalServerOptions {
  /** Path of the program that `temporal/dev-server` builds. */
  program: string
  /** The folder that holds `temporal/`. */
  dataDir: string
  port: number
  /** Null for no Web UI. */
  uiPort: number | null
  log: Writable
  guard: Guard
}

export interface TemporalServer {
  /** host:port of the gRPC frontend. */
  address: string
  child: Child
  stop(): Promise<void>
}

/** Named by the version of its tables: the server does not migrate those of another one. */
const STORE = 'temporal-1.32.db'
const FORMER_STORE = 'temporal.db'
const READY_TIMEOUT_MS = 60_000
const PROBE_MS = 2_000

/** Production has the same settings. */
const DYNAMIC_CONFIG = join(projectDir, 'deploy/temporal-dynamic-config.yaml')

/**
 * Starts the embedded Temporal server on the loopback interface. Resolves when it answers and its
 * namespace has the search attributes and the retention that the workflows need.
 */
export async function startTemporal(options: TemporalServerOptions): Promise<TemporalServer> {
  const folder = join(options.dataDir, 'temporal')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  removeFormerStore(folder)
  const child = startChild({
    program: options.program,
    args: serverArguments(options, join(folder, STORE)),
    cwd: folder,
    log: options.log,
    guard: options.guard,
  })
  const address = `127.0.0.1:${options.port}`
  try {
    await awaitReady(address, child)
  } catch (error) {
    await child.stop()
    throw error
  }
  return { address, child, stop: () => child.stop() }
}

/** Removes the store of server 1.29. The sweep starts again what was running in it. */
function removeFormerStore(folder: string): void {
  for (const suffix of ['', '-shm', '-wal'])
    rmSync(join(folder, FORMER_STORE + suffix), { force: true })
}

const serverArguments = ({ port, uiPort }: TemporalServerOptions, storeFile: string): string[] => [
  `-port=${port}`,
  `-ui-port=${uiPort ?? 0}`,
  `-store=${storeFile}`,
  `-dynamic-config=${DYNAMIC_CONFIG}`,
]

async function awaitReady(address: string, child: Child): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  for (;;) {
    try {
      return await prepareEmbeddedNamespace(address, PROBE_MS)
    } catch (error) {
      const end = child.end()
      if (end !== null) throw new Error(`Temporal ended with ${end}:\n${child.lastLines()}`)
      if (Date.now() > deadline)
        throw new Error('Temporal did not answer in time', { cause: error })
      await sleep(100)
    }
  }
}
