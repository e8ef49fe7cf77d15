import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { inheritedEnvironment, projectDir } from '../bootstrap/tools.mjs'

const running = new Set<ChildProcess>()

/**
 * Runs a program in the repository's folder and resolves to its exit status (null after a signal) and its output.
 * `show` passes the output on instead.
 */
export function runProgram(
  program: string,
  args: string[],
  { mode, env = {} }: { mode: 'show' | 'collect'; env?: Record<string, string> },
): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const stdio: StdioOptions = mode === 'show' ? ['ignore', 'inherit', 'inherit'] : 'pipe'
    const child = spawn(program, args, {
      cwd: projectDir,
      stdio,
      env: { ...inheritedEnvironment(), ...env },
    })
    running.add(child)
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', reject)
    child.once('close', (status) => {
      running.delete(child)
      resolve({ status, output })
    })
  })
}

/** Ends the programs that run. */
export function endPrograms(): void {
  for (const child of running) child.kill('SIGTERM')
}
