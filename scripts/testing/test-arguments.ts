export interface TestArguments {
  /** Whether the static checks run first. */
  checks: boolean
  fast: boolean
  record: boolean
  testArguments: string[]
}

/**
 * Reads the arguments of `npm test`. The static checks run with the whole suite, with the fast tests and with the
 * first shard, and not when the arguments choose tests. All but `--fast` and `--record-durations` goes to Vitest.
 */
export function readTestArguments(args: string[]): TestArguments {
  const own = new Set(['--fast', '--record-durations'])
  const testArguments = args.filter((arg) => !own.has(arg))
  const chosen = testArguments.filter((arg) => !/^--shard=1\/\d+$/.test(arg))
  return {
    checks: chosen.length === 0,
    fast: args.includes('--fast'),
    record: args.includes('--record-durations') && testArguments.length === 0,
    testArguments,
  }
}
