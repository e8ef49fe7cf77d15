import { describe, expect, it } from 'vitest'
import { readTestArguments } from './test-arguments.ts'

describe('the arguments of npm test', () => {
  it.each([
    ['the whole suite', [], true],
    ['the fast tests', ['--fast'], true],
    ['the first shard', ['--shard=1/4'], true],
    ['another shard', ['--shard=2/4'], false],
    ['a file', ['domain/encoding/ladder.test.ts'], false],
    ['a file in the first shard', ['--shard=1/4', 'domain'], false],
  ])('run the static checks before %s: %j %s', (_, args, checks) => {
    expect(readTestArguments(args).checks).toBe(checks)
  })

  it('go to Vitest, but for those of the script', () => {
    expect(readTestArguments(['--fast', '-t', 'a title'])).toMatchObject({
      fast: true,
      testArguments: ['-t', 'a title'],
    })
  })

  it('record durations of the whole suite only', () => {
    expect(readTestArguments(['--record-durations']).record).toBe(true)
    expect(readTestArguments(['--record-durations', '--shard=1/4']).record).toBe(false)
    expect(readTestArguments(['--record-durations', 'domain']).record).toBe(false)
  })
})
