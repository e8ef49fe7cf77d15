// npm test: runs the static checks beside Jest. The last line is `N passed, N failed`.
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { pinnedNode, projectDir } from './bootstrap/tools.mjs'
import { onShutdownRequest } from './lifetime.ts'

interface Tally {
  passed: number
  failed: number
}

const STATIC_CHECKS = ['lint', 'format:check', 'typecheck', 'boundaries', 'knip']
const OUTPUT_SHOWN_LINES = 60
// A test file waits for browsers, servers and timers for more than half of its time. Each worker needs up to 1 GiB.
const WORKERS_PER_CPU = 2
const MAX_WORKERS = 8

async function main(jestArguments: string[]): Promise<number> {
  const wholeSuite = jestArguments.length === 0
  const [checks, tests] = await Promise.all([
    wholeSuite ? runStaticChecks() : { passed: 0, failed: 0, report: '' },
    runJest(jestArguments),
  ])
  process.stdout.write(checks.report)
  const failed = checks.failed + tests.failed
  process.stdout.write(`${checks.passed + tests.passed} passed, ${failed} failed\n`)
  return failed === 0 ? 0 : 1
}

/** Prints a failure at once. The report has all results and the output of the failures, for the end of the run. */
async function runStaticChecks(): Promise<Tally & { report: string }> {
  const result = { passed: 0, failed: 0, report: '' }
  for (const name of STATIC_CHECKS) {
    const startedAt = Date.now()
    const { status, output } = await run('npm', ['run', '--silent', name], 'collect')
    const ok = status === 0
    result[ok ? 'passed' : 'failed'] += 1
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
    const line = `${ok ? '✓' : '✗'} ${name} (${seconds} s)\n`
    result.report += line
    if (ok) continue
    process.stdout.write(line)
    result.report += `${output.trim().split('\n').slice(0, OUTPUT_SHOWN_LINES).join('\n')}\n`
  }
  return result
}

/** Runs Jest and returns its counts. A test file that fails to load is one failure. */
async function runJest(jestArguments: string[]): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'reelgate-jest-'))
  const summaryFile = join(folder, 'summary.json')
  try {
    const workers = Math.min(MAX_WORKERS, WORKERS_PER_CPU * availableParallelism())
    const { status } = await run(
      pinnedNode,
      [
        '--experimental-vm-modules',
        '--no-warnings',
        join(projectDir, 'node_modules', 'jest', 'bin', 'jest.js'),
        '--json',
        `--outputFile=${summaryFile}`,
        `--maxWorkers=${workers}`,
        ...jestArguments,
      ],
      'show',
    )
    return tallyOf(summaryFile, status)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const summarySchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numRuntimeErrorTestSuites: z.number(),
})

function tallyOf(summaryFile: string, status: number | null): Tally {
  try {
    const summary = summarySchema.parse(JSON.parse(readFileSync(summaryFile, 'utf8')))
    const failed = summary.numFailedTests + summary.numRuntimeErrorTestSuites
    return { passed: summary.numPassedTests, failed: failed === 0 && status !== 0 ? 1 : failed }
  } catch {
    // Without a summary, Jest itself failed.
    return { passed: 0, failed: 1 }
  }
}

function run(program: string, args: string[], mode: 'show' | 'collect') {
  return new Promise<{ status: number | null; output: string }>((resolve, reject) => {
    // Jest reports its progress on stderr; with --json its stdout is only for programs.
    const stdio: StdioOptions = mode === 'show' ? ['ignore', 'ignore', 'inherit'] : 'pipe'
    const child = spawn(program, args, { cwd: projectDir, stdio })
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

const running = new Set<ChildProcess>()
onShutdownRequest(() => {
  for (const child of running) child.kill('SIGTERM')
  process.exit(130)
})

process.exitCode = await main(process.argv.slice(2))
