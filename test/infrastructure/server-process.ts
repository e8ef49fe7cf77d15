import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { pinnedNode, projectDir } from '../../scripts/bootstrap/tools.mjs'
import { stopProcess } from '../../scripts/service-process.ts'

/** A server that runs as a separate process: one of the service, or an anchor of a benchmark. */
export interface ServerProcess {
  baseUrl: string
  pid: number
  stop(): Promise<void>
}

export interface ServerProcessOptions {
  /** Path from the project's folder, such as `api/server.ts`. */
  script: string
  args?: readonly string[]
  /** The address at which it serves `GET /healthz`. */
  baseUrl: string
  env: Record<string, string>
  /** The file that receives its stdout and stderr. */
  logFile: string
  /** Words before the program, such as `taskset -c 0`. */
  launcher?: readonly string[]
}

const START_TIMEOUT_MS = 120_000

/** Starts a server and resolves when it responds; rejects with the end of its log if it does not. */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const { script, baseUrl, env, logFile, launcher = [] } = options
  const node = [pinnedNode, '--no-warnings', script, ...(options.args ?? [])]
  const [program = pinnedNode, ...args] = [...launcher, ...node]
  const log = openSync(logFile, 'a')
  const child = spawn(program, args, {
    cwd: projectDir,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  await untilItResponds(child, { name: script, baseUrl, logFile })
  return { baseUrl, pid: child.pid ?? 0, stop: () => stopProcess(child) }
}

/**
 * Resolves when `GET /healthz` responds. Stops the process and rejects with the end of its log if it
 * exits before that or takes too long.
 */
export async function untilItResponds(
  child: ChildProcess,
  { name, baseUrl, logFile }: { name: string; baseUrl: string; logFile: string },
): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!(await responses(`${baseUrl}/healthz`))) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null
    if (hasEnded || Date.now() > deadline) {
      await stopProcess(child)
      throw new Error(`${name} did not start:\n${readFileSync(logFile, 'utf8').slice(-4000)}`)
    }
    await sleep(50)
  }
}

const responses = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
