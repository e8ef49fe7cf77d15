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

function parseOutput<T>(stdout: string, stderr: string): T {
  try {
    return JSON.parse(stdout) as T
  } catch {
    throw new Error(`not JSON: "${stdout}"; on stderr: "${stderr}"`)
  }
}
