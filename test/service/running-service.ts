import { spawn } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { readRuntime } from '../../cli/runtime-file.ts'
import { pinnedNode } from '../../scripts/bootstrap/tools.mjs'
import { freePort } from '../../scripts/embedded/ports.ts'
import { readAddresses, stopProcess } from '../../scripts/service-process.ts'
import type { ServiceAddresses } from '../../scripts/service-process.ts'
import { checkEvents } from '../services/check-events.ts'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const START_TIMEOUT_MS = 120_000

export interface RunningService extends ServiceAddresses {
  /** Calls the API with the first account's key. */
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Response>
  /** Runs the operator's command against this service; returns what `--json` printed. */
  cli(...args: string[]): Promise<unknown>
  /** kill -9 on the child process whose command line matches; returns its pid. */
  killChild(pattern: RegExp): Promise<number>
  /** Pid of that child, or null. */
  findChild(pattern: RegExp): Promise<number | null>
  /** SIGTERM, and waits until nothing of it is left. Throws where it wrote an event that is none. */
  stop(): Promise<void>
}

/** Starts the whole service on free ports with state in `dataDir`; a second start on it is warm. */
export async function startService(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<RunningService> {
  const names = ['API', 'PLAYER', 'POSTGRES', 'TEMPORAL', 'TEMPORAL_UI']
  const ports: Record<string, string> = {}
  for (const name of names) ports[`${name}_PORT`] = String(await freePort())
  const environment = {
    ...process.env,
    ...ports,
    EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8',
    // Whoever waits for a film here asks more often than an integrator may.
    API_REQUESTS_PER_MINUTE: '100000',
    API_REQUESTS_PER_DAY: '1000000',
    ...env,
  }
  const args = ['scripts/start.ts', '--json', '--data-dir', dataDir]
  const child = spawn(pinnedNode, args, {
    cwd: PROJECT,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const addresses = await readAddresses(child, START_TIMEOUT_MS)
  return {
    ...addresses,
    request: (method, path, body, headers) => call(addresses, method, path, body, headers),
    cli: (...words) => runCli(environment, dataDir, words),
    findChild: (pattern) => findDescendant(child.pid ?? 0, pattern),
    async killChild(pattern) {
      const pid = await findDescendant(child.pid ?? 0, pattern)
      if (pid === null) throw new Error(`no child process matches ${String(pattern)}`)
      process.kill(pid, 'SIGKILL')
      return pid
    },
    async stop() {
      const runtime = await readRuntime(dataDir)
      try {
        if (runtime) await checkEvents(runtime.databaseUrl)
      } finally {
        await stopProcess(child)
      }
    },
  }
}

function call(
  service: ServiceAddresses,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Response> {
  const all = new Headers(headers)
  all.set('Authorization', `Bearer ${service.api_key}`)
  if (body === undefined) return fetch(service.api + path, { method, headers: all })
  all.set('Content-Type', 'application/json')
  return fetch(service.api + path, { method, headers: all, body: JSON.stringify(body) })
}

function runCli(env: NodeJS.ProcessEnv, dataDir: string, words: string[]): Promise<unknown> {
  const args = ['cli/main.ts', ...words, '--json', '--data-dir', dataDir]
  const child = spawn(pinnedNode, args, { cwd: PROJECT, env })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.once('close', (code) =>
      code === 0
        ? resolve(JSON.parse(output))
        : reject(new Error(`reelgate ${words.join(' ')} ended with ${code}: ${errors}${output}`)),
    )
  })
}

async function findDescendant(root: number, pattern: RegExp): Promise<number | null> {
  const parents = new Map<number, number>()
  const lines = new Map<number, string>()
  for (const name of await readdir('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    parents.set(pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    lines.set(pid, line.replaceAll('\0', ' '))
  }
  const isBelow = (pid: number): boolean => {
    for (let at = parents.get(pid); at !== undefined && at > 1; at = parents.get(at))
      if (at === root) return true
    return false
  }
  for (const [pid, line] of lines) if (pattern.test(line) && isBelow(pid)) return pid
  return null
}
