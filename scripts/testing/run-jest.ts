import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { z } from 'zod'
import { pinnedNode, projectDir } from '../bootstrap/tools.mjs'
import { runProgram } from './run-program.ts'
import type { Tally } from './static-checks.ts'

// A test file waits for browsers, servers and timers for more than half of its time. Each worker needs up to 1 GiB.
const WORKERS_PER_CPU = 2
const MAX_WORKERS = 8

const summarySchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numRuntimeErrorTestSuites: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          invocations: z.number().optional(),
        }),
      ),
    }),
  ),
})
type Summary = z.infer<typeof summarySchema>

export interface JestRun extends Tally {
  /** Seconds of each test file, by its path in the repository. */
  seconds: Record<string, number>
  /** Tests that failed at first and passed when they were repeated. */
  passedAtSecondTry: string[]
}

/** Runs Jest and shows its report. A test file that fails to load is one failure. */
export async function runJest(args: string[], env: Record<string, string> = {}): Promise<JestRun> {
  const folder = mkdtempSync(join(tmpdir(), 'reelgate-jest-'))
  const summaryFile = join(folder, 'summary.json')
  const workers = Math.min(MAX_WORKERS, WORKERS_PER_CPU * availableParallelism())
  const jest = join(projectDir, 'node_modules', 'jest', 'bin', 'jest.js')
  const options = ['--json', `--outputFile=${summaryFile}`, `--maxWorkers=${workers}`]
  try {
    const nodeArgs = ['--experimental-vm-modules', '--no-warnings', jest, ...options, ...args]
    const { status } = await runProgram(pinnedNode, nodeArgs, { mode: 'show', env })
    return readSummary(summaryFile, status)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readSummary(path: string, status: number | null): JestRun {
  let summary: Summary
  try {
    summary = summarySchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    // Without a summary, Jest itself failed.
    return { passed: 0, failed: 1, seconds: {}, passedAtSecondTry: [] }
  }
  const failed = summary.numFailedTests + summary.numRuntimeErrorTestSuites
  return {
    passed: summary.numPassedTests,
    failed: failed === 0 && status !== 0 ? 1 : failed,
    seconds: secondsOf(summary),
    passedAtSecondTry: summary.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter((test) => test.status === 'passed' && (test.invocations ?? 1) > 1)
        .map((test) => `${relative(projectDir, name)}: ${test.fullName}`),
    ),
  }
}

const secondsOf = ({ testResults }: Summary): Record<string, number> =>
  Object.fromEntries(
    testResults.map(({ name, startTime, endTime }) => [
      relative(projectDir, name),
      (endTime - startTime) / 1000,
    ]),
  )
