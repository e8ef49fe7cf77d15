import { writeFileSync } from 'node:fs'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { Summary } from './summary.ts'

/** Writes a summary of the run to the file that TEST_SUMMARY_FILE names. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env.TEST_SUMMARY_FILE
    if (!path) throw new Error('TEST_SUMMARY_FILE is not set')
    const summary: Summary = { files: modules.map(fileOf) }
    writeFileSync(path, JSON.stringify(summary))
  }
}

function fileOf(module: TestModule): Summary['files'][number] {
  const { collectDuration, duration } = module.diagnostic()
  return {
    path: module.relativeModuleId,
    seconds: (collectDuration + duration) / 1000,
    isBroken: module.errors().length > 0,
    tests: [...module.children.allTests()].map((test) => ({
      name: test.fullName,
      state: test.result().state,
      firstFailure: test.diagnostic()?.flaky ? failureOf(test) : null,
    })),
  }
}

function failureOf(test: TestCase): string {
  const [error] = test.result().errors ?? []
  const [frame] = error?.stacks?.filter(({ file }) => file.endsWith('.test.ts')) ?? []
  const place = frame ? ` (line ${frame.line})` : ''
  return `${error?.message ?? 'no error was kept'}${place}`
}
