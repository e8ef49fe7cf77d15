import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { inheritedEnvironment } from '../bootstrap/tools.mjs'
import { readAddresses, stopProcess } from '../service-process.ts'
import type { ServiceAddresses } from '../service-process.ts'

/** The service as a process of its own, and how to end it, also in the middle of its start. */
export interface ServiceHandle {
  /** Rejects with its last words when it ends early. */
  ready: Promise<ServiceAddresses>
  stop(): Promise<void>
}

/** Starts everything as `npm start -- --json` does. */
export function startService(dataDir: string, env: Record<string, string>): ServiceHandle {
  const script = fileURLToPath(new URL('../start.ts', import.meta.url))
  const args = ['--no-warnings', script, '--json', '--data-dir', dataDir]
  const child = spawn(process.execPath, args, {
    // Everything else is inherited as it is: ports move by environment.
    env: { ...inheritedEnvironment(), ...env },
    // The channel tells it when this process is gone, even by kill -9.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  return { ready: readAddresses(child), stop: () => stopProcess(child) }
}
