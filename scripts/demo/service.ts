import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { inheritedEnvironment } from '../bootstrap/tools.mjs'
import { readAddresses, stopProcess } from '../service-process.ts'
import type { ServiceAddresses } from '../service-process.ts'

export interface Service extends ServiceAddresses {
  stop(): Promise<void>
}

/** Starts everything as `npm start -- --json` does; rejects with the last words where it ends early. */
export async function startService(dataDir: string, env: Record<string, string>): Promise<Service> {
  const script = fileURLToPath(new URL('../start.ts', import.meta.url))
  const child = spawn(process.execPath, [script, '--json', '--data-dir', dataDir], {
    // Everything else is inherited as it is: ports move by environment.
    env: { ...inheritedEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { ...(await readAddresses(child)), stop: () => stopProcess(child) }
}
