import pLimit from 'p-limit'
import { runProgram } from './run-program.ts'

/** The scripts of package.json that check without running anything, the longest first. */
const STATIC_CHECKS = ['lint', 'typecheck', 'format:check', 'boundaries', 'knip']
const AT_ONCE = 2
const OUTPUT_SHOWN_LINES = 60

export interface Tally {
  passed: number
  failed: number
}

/** Runs the static checks and prints a line for each, with the output of those that fail. Counts them as tests. */
export async function runStaticChecks(): Promise<Tally> {
  const tally = { passed: 0, failed: 0 }
  const limit = pLimit(AT_ONCE)
  const check = async (name: string): Promise<void> => {
    const startedAt = Date.now()
    const { status, output } = await runProgram('npm', ['run', '--silent', name], {
      mode: 'collect',
    })
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
    tally[status === 0 ? 'passed' : 'failed'] += 1
    process.stdout.write(`${status === 0 ? '✓' : '✗'} ${name} (${seconds} s)\n`)
    if (status !== 0) process.stdout.write(firstLines(output))
  }
  await Promise.all(STATIC_CHECKS.map((name) => limit(check, name)))
  return tally
}

const firstLines = (output: string): string =>
  `${output.trim().split('\n').slice(0, OUTPUT_SHOWN_LINES).join('\n')}\n`
