import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { pinnedNode } from '../scripts/bootstrap/tools.mjs'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

/** How a command line ended, and what it wrote. */
export interface CliRun {
  status: number
  stdout: string
  stderr: string
  /** `stdout` read as JSON; throws where it is none. */
  json: <T>() => T
}

/** Runs the real command line as a process of its own; `env` is added to this process's. */
export const cliHarness =
  (env: Record<string, string>) =>
  async (...args: string[]): Promise<CliRun> => {
    const result = await execa(pinnedNode, ['--no-warnings', MAIN, ...args], {
      env: { LOG_LEVEL: 'error', ...env },
      reject: false,
      timeout: 60_000,
    })
    const { stdout, stderr, exitCode = -1 } = result
    return { status: exitCode, stdout, stderr, json: () => parseOutput(stdout, stderr) }
  }

/** A command line that goes on until it is told to end. */
export interface RunningCli {
  /** What it has printed under `--json`, a record a line. */
  records: Record<string, unknown>[]
  /** Everything that it has written, to stdout and stderr. */
  output: () => string
  /** Ctrl-C; resolves to its exit status. */
  interrupt: () => Promise<number | null>
}

/** Starts the real command line as a process of its own, under `--json`. */
export function startCli(env: Record<string, string>, ...args: string[]): RunningCli {
  const child = spawn(pinnedNode, ['--no-warnings', MAIN, ...args, '--json'], {
    env: { ...process.env, LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const records: RunningCli['records'] = []
  let output = ''
  createInterface({ input: child.stdout }).on('line', (line) => {
    output += `${line}\n`
    records.push(JSON.parse(line) as Record<string, unknown>)
  })
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return {
    records,
    output: () => output,
    interrupt() {
      child.kill('SIGINT')
      return ended
    },
  }
}

function parseOutput<T>(stdout: string, stderr: string): T {
  try {
    return JSON.parse(stdout) as T
  } catch {
    throw new Error(`not JSON: "${stdout}"; on stderr: "${stderr}"`)
  }
}
