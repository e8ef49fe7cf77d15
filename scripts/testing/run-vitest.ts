import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pinnedNode, projectDir } from '../bootstrap/tools.mjs'
import { runProgram } from './run-program.ts'
import type { Tally } from './static-checks.ts'
import { summarySchema, type Summary } from './summary.ts'

const vitest = join(projectDir, 'node_modules', 'vitest', 'vitest.mjs')
const reporter = join(projectDir, 'scripts', 'testing', 'summary-reporter.ts')

export interface TestRun extends Tally {
  /** Seconds of each test file, by its path in the repository. */
  seconds: Record<string, number>
  skipped: number
  /** Tests that failed at first and passed when they were repeated, with the first failure. */
  passedAtSecondTry: string[]
}

/** Runs Vitest and shows its report. A test file that fails to load is one failure. */
export async function runVitest(
  args: string[],
  env: Record<string, string> = {},
): Promise<TestRun> {
  const folder = mkdtempSync(join(tmpdir(), 'reelgate-vitest-'))
  const summaryFile = join(folder, 'summary.json')
  const options = ['run', '--reporter=default', `--reporter=${reporter}`]
  try {
    const nodeArgs = ['--no-warnings', vitest, ...options, ...args]
    const { status } = await runProgram(pinnedNode, nodeArgs, {
      mode: 'show',
      env: { ...env, TEST_SUMMARY_FILE: summaryFile },
    })
    return readSummary(summaryFile, status)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readSummary(summaryFile: string, status: number | null): TestRun {
  let summary: Summary
  try {
    summary = summarySchema.parse(JSON.parse(readFileSync(summaryFile, 'utf8')))
  } catch {
    // Without a summary, Vitest itself failed.
    return { passed: 0, failed: 1, skipped: 0, seconds: {}, passedAtSecondTry: [] }
  }
  const tests = summary.files.flatMap((file) =>
    file.tests.map((test) => ({ ...test, path: file.path })),
  )
  const count = (state: string): number => tests.filter((test) => test.state === state).length
  const failed = count('failed') + summary.files.filter(({ isBroken }) => isBroken).length
  return {
    passed: count('passed'),
    failed: failed === 0 && status !== 0 ? 1 : failed,
    skipped: count('skipped'),
    seconds: Object.fromEntries(summary.files.map((file) => [file.path, file.seconds])),
    passedAtSecondTry: tests
      .filter(({ firstFailure }) => firstFailure !== null)
      .map((test) => `${test.path}: ${test.name}: ${test.firstFailure}`),
  }
}
