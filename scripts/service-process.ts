import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { inheritedEnvironment } from './bootstrap/tools.mjs'

/** The line that `npm start -- --json` prints as its only line on stdout. */
export type ServiceAddresses = z.infer<typeof addressesSchema>

const addressesSchema = z.object({
  api: z.string(),
  player: z.string(),
  dashboard: z.string(),
  owner_link: z.string().nullable(),
  temporal: z.string(),
  temporal_ui: z.string(),
  api_key: z.string(),
  account_id: z.number(),
  data_dir: z.string(),
})

const STOP_TIMEOUT_MS = 20_000
const OUTPUT_SHOWN_CHARS = 4_000

/**
 * Waits for the line of addresses on a service's stdout. Rejects with the end of its output if it
 * exits first, or if the line does not appear within `timeoutMs`; then it also kills the service.
 */
export function readAddresses(child: ChildProcess, timeoutMs?: number): Promise<ServiceAddresses> {
  return new Promise((resolve, reject) => {
    let output = ''
    const fail = (why: string) =>
      reject(new Error(`${why}\n${output.slice(-OUTPUT_SHOWN_CHARS)}`.trim()))
    const onTimeout = () => {
      fail('the service did not start in time')
      child.kill('SIGKILL')
    }
    const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timeoutMs)
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('exit', (code) => {
      clearTimeout(timer)
      fail(`the service ended with ${code}`)
    })
    createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => {
      output += `${line}\n`
      if (!line.startsWith('{')) return
      clearTimeout(timer)
      resolve(addressesSchema.parse(JSON.parse(line)))
    })
  })
}

/** Sends SIGTERM, and SIGKILL if the process ignores it. Resolves when it has ended. */
export function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
    child.kill('SIGTERM')
  })
}

/** A starting or running service in a child process. */
export interface ServiceHandle {
  /** Rejects with the end of its output if it exits early. */
  ready: Promise<ServiceAddresses>
  stop(): Promise<void>
}

/** Starts the service like `npm start -- --json`. */
export function startService(dataDir: string, env: Record<string, string>): ServiceHandle {
  const script = fileURLToPath(new URL('./start.ts', import.meta.url))
  const args = ['--no-warnings', script, '--json', '--data-dir', dataDir]
  const child = spawn(process.execPath, args, {
    // Inherits the environment, so that variables can change the ports.
    env: { ...inheritedEnvironment(), ...env },
    // The channel closes when this process ends, even after kill -9.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  return { ready: readAddresses(child), stop: () => stopProcess(child) }
}
