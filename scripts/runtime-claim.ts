import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readRuntime, runtimeFile } from '../cli/runtime-file.ts'
import type { Runtime } from '../cli/runtime-file.ts'
import type { Config } from '../config.ts'
import { assertPortsFree, type NeededPort } from './embedded/ports.ts'

// What a killed supervisor left is being ended by its guard, which gives it ten seconds.
const KILLED_COPY_PATIENCE_MS = 15_000

/** Throws when another `npm start` runs on this data folder. */
export async function claimFolder(dataDir: string): Promise<void> {
  const runtime = await readRuntime(dataDir)
  if (runtime === null || !isSupervisor(runtime.pid)) return
  throw new Error(
    `Reelgate already runs on ${dataDir} (process ${runtime.pid}): stop it first, or choose another folder with --data-dir.`,
  )
}

// The number of a killed supervisor may belong to another program by now.
function isSupervisor(pid: number): boolean {
  if (!existsSync('/proc/self')) return true
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('start.ts')
  } catch {
    return false
  }
}

/** Throws an error that names every port that another program holds, before anything is started. */
export async function claimPorts(config: Config): Promise<void> {
  const needed: NeededPort[] = [
    { port: config.API_PORT, host: config.API_HOST, variable: 'API_PORT' },
    { port: config.PLAYER_PORT, host: config.PLAYER_HOST, variable: 'PLAYER_PORT' },
  ]
  if (!config.hasOwnTemporal) {
    needed.push({ port: config.TEMPORAL_PORT, variable: 'TEMPORAL_PORT' })
    needed.push({ port: config.TEMPORAL_UI_PORT, variable: 'TEMPORAL_UI_PORT' })
  }
  const wasKilled = existsSync(runtimeFile(config.REELGATE_DATA_DIR))
  await assertPortsFree(needed, wasKilled ? KILLED_COPY_PATIENCE_MS : 0)
}

/** Writes `runtime.json`, readable by its owner alone: the database's address has its password. */
export function writeRuntime(dataDir: string, runtime: Omit<Runtime, 'pid'>): void {
  const path = runtimeFile(dataDir)
  const text = JSON.stringify({ pid: process.pid, ...runtime }, null, 2)
  writeFileSync(`${path}.new`, `${text}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** Removes `runtime.json` if this process wrote it: another one's file is left alone. */
export async function removeRuntime(dataDir: string): Promise<void> {
  const runtime = await readRuntime(dataDir)
  if (runtime?.pid === process.pid) rmSync(runtimeFile(dataDir))
}
