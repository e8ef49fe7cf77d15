import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'

/** What `npm start -- --json` prints (design, section 3). */
export interface ServiceAddresses {
  api: string
  player: string
  temporal: string
  temporal_ui: string
  api_key: string
  account_id: number
  data_dir: string
}

const STOP_TIMEOUT_MS = 20_000
const NOISE_KEPT = 4_000

/**
 * Waits for the line of addresses on a service's stdout. Rejects with its last words where it ends
 * first, or where the line does not come within `timeoutMs`; the service is killed then.
 */
export function readAddresses(child: ChildProcess, timeoutMs?: number): Promise<ServiceAddresses> {
  return new Promise((resolve, reject) => {
    let noise = ''
    const fail = (why: string) => reject(new Error(`${why}\n${noise.slice(-NOISE_KEPT)}`.trim()))
    const onTimeout = () => {
      fail('the service did not start in time')
      child.kill('SIGKILL')
    }
    const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timeoutMs)
    child.stderr?.on('data', (chunk: Buffer) => (noise += chunk.toString()))
    child.once('exit', (code) => {
      clearTimeout(timer)
      fail(`the service ended with ${code}`)
    })
    createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => {
      noise += `${line}\n`
      if (!line.startsWith('{')) return
      clearTimeout(timer)
      resolve(JSON.parse(line) as ServiceAddresses)
    })
  })
}

/** SIGTERM, and SIGKILL where that is not heeded; resolves when the process has ended. */
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
