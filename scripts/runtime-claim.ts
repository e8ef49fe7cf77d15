import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { readRuntime, runtimeFile, type Runtime } from '../processes/runtime-file.ts'
import { assertPortsFree, type NeededPort } from './embedded/ports.ts'

/** The guard of a killed supervisor ends its processes within ten seconds. */
const KILLED_COPY_TIMEOUT_MS = 15_000

/** Throws if another `npm start` runs on this data folder. */
export async function claimFolder(dataDir: string): Promise<void> {
  const runtime = await readRuntime(dataDir)
  if (runtime === null || !isSupervisor(runtime.pid)) return
  throw new Error(
    `Reelgate already runs on ${dataDir} (process ${runtime.pid}): stop it first, or choose another folder with --data-dir.`,
  )
}

// The pid of a killed supervisor may belong to another program now.
function isSupervisor(pid: number): boolean {
  if (!existsSync('/proc/self')) return true
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('start.ts')
  } catch {
    return false
  }
}

/** One for each process of the service (`stack.ts`). */
const METRICS_PORTS = 4

/** Throws an error that names every port that another program uses. */
export async function claimPorts(config: Config): Promise<void> {
  const needed: NeededPort[] = [
    { port: config.API_PORT, host: config.API_HOST, variable: 'API_PORT' },
    { port: config.PLAYER_PORT, host: config.PLAYER_HOST, variable: 'PLAYER_PORT' },
    { port: config.DASHBOARD_PORT, host: config.DASHBOARD_HOST, variable: 'DASHBOARD_PORT' },
  ]
  const { metricsAddress } = config
  if (metricsAddress)
    for (let index = 0; index < METRICS_PORTS; index += 1)
      needed.push({
        host: metricsAddress.host,
        port: metricsAddress.port + index,
        variable: 'METRICS_ADDRESS',
      })
  if (!config.hasOwnTemporal) {
    needed.push({ port: config.TEMPORAL_PORT, variable: 'TEMPORAL_PORT' })
    needed.push({ port: config.TEMPORAL_UI_PORT, variable: 'TEMPORAL_UI_PORT' })
  }
  const wasKilled = existsSync(runtimeFile(config.REELGATE_DATA_DIR))
  await assertPortsFree(needed, wasKilled ? KILLED_COPY_TIMEOUT_MS : 0)
}

/** Writes `runtime.json`. Only its owner can read it, because the database URL contains the password. */
export function writeRuntime(dataDir: string, runtime: Omit<Runtime, 'pid'>): void {
  const path = runtimeFile(dataDir)
  const text = JSON.stringify({ pid: process.pid, ...runtime }, null, 2)
  writeFileSync(`${path}.new`, `${text}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** Removes `runtime.json` if this process wrote it. */
export async function removeRuntime(dataDir: string): Promise<void> {
  const runtime = await readRuntime(dataDir)
  if (runtime?.pid === process.pid) rmSync(runtimeFile(dataDir))
}
