// npm test: runs the static checks, then all tests or those that the arguments of Vitest choose. `--fast` (npm run
// test:fast) leaves out the slow ones, `--record-durations` keeps how long each file took. Last line: `N passed, N failed`.
import { onShutdownRequest } from './lifetime.ts'
import { recordDurations } from './testing/durations.ts'
import { chooseFastTests } from './testing/fast-tests.ts'
import { endPrograms } from './testing/run-program.ts'
import { runVitest, type TestRun } from './testing/run-vitest.ts'
import { runStaticChecks } from './testing/static-checks.ts'
import { readTestArguments } from './testing/test-arguments.ts'
import { withoutEncoder } from './testing/without-encoder.ts'

async function main(args: string[]): Promise<number> {
  const { checks, fast, record, testArguments } = readTestArguments(args)
  const checked = checks ? await runStaticChecks() : { passed: 0, failed: 0 }
  if (checked.failed > 0) return report(checked.passed, checked.failed)
  const tests = fast ? await runFastTests(testArguments) : await runVitest(testArguments)
  for (const test of tests.passedAtSecondTry)
    process.stdout.write(`passed at the second try, a fault to be mended: ${test}\n`)
  if (checks && !fast && process.env.EVERY_CASE !== '1')
    process.stdout.write(
      `left out: ${tests.skipped} tests, and cases of others (npm run verify:all runs them)\n`,
    )
  if (record && tests.failed === 0) recordDurations(tests.seconds)
  return report(checked.passed + tests.passed, tests.failed)
}

function runFastTests(testArguments: string[]): Promise<TestRun> {
  const { chosen, leftOut } = chooseFastTests()
  process.stdout.write(
    `${chosen.length} test files; left out: ${leftOut.browser} that need a browser, ${leftOut.encoder} that need an ` +
      `encoder, ${leftOut.time} that take long (npm test runs them)\n`,
  )
  return withoutEncoder((env) =>
    runVitest(testArguments, { ...env, TEST_FILES: chosen.join('\n') }),
  )
}

function report(passed: number, failed: number): number {
  process.stdout.write(`${passed} passed, ${failed} failed\n`)
  return failed === 0 ? 0 : 1
}

onShutdownRequest(() => {
  endPrograms()
  process.exit(130)
})

process.exitCode = await main(process.argv.slice(2))
