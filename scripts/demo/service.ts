import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { inheritedEnvironment } from '../bootstrap/tools.mjs'

/** What `npm start -- --json` prints. */
export interface Service {
  api: string
  player: string
  temporal: string
  temporal_ui: string
  api_key: string
  account_id: number
  data_dir: string
  stop(): Promise<void>
}

const STOP_MS = 20_000

/** Starts everything as `npm start -- --json` does; rejects with the last words where it ends early. */
export async function startService(dataDir: string, env: Record<string, string>): Promise<Service> {
  const script = fileURLToPath(new URL('../start.ts', import.meta.url))
  const child = spawn(process.execPath, [script, '--json', '--data-dir', dataDir], {
    // Everything else is inherited as it is: ports move by environment.
    env: { ...inheritedEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await firstJson(child)
  return { ...(JSON.parse(line) as Omit<Service, 'stop'>), stop: () => stop(child) }
}

function firstJson(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
    createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => {
      if (line.startsWith('{')) resolve(line)
    })
  })
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
    child.kill('SIGTERM')
  })
}
