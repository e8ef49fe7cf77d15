import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { projectDir } from '../../scripts/bootstrap/tools.mjs'
import { recordedDurations } from '../../scripts/testing/durations.ts'

interface TestFile {
  path: string
}
interface Sequencer {
  sort(tests: TestFile[]): TestFile[]
  shard(tests: TestFile[], options: { shardIndex: number; shardCount: number }): TestFile[]
}
const require = createRequire(import.meta.url)
const SlowestFirst = require('./slowest-first.cjs') as new () => Sequencer

const recorded = recordedDurations()
const files = ['domain/ladder.test.ts', ...Object.keys(recorded)].map((path) => ({
  path: join(projectDir, path),
}))
const secondsOf = ({ path }: TestFile): number => recorded[path.slice(projectDir.length)] ?? 2

describe('the order of the test files', () => {
  it('is from the slowest to the fastest', () => {
    const sorted = new SlowestFirst().sort(files).map(secondsOf)
    expect(sorted).toEqual(sorted.toSorted((a, b) => b - a))
  })
})

describe('the shards', () => {
  it.each([1, 2, 3, 4, 7])('of %d have each file once, and about the same time', (shardCount) => {
    const shards = Array.from({ length: shardCount }, (_, index) =>
      new SlowestFirst().shard(files, { shardIndex: index + 1, shardCount }),
    )
    expect(shards.flat().toSorted(byPath)).toEqual(files.toSorted(byPath))
    const seconds = shards.map((tests) => tests.reduce((sum, test) => sum + secondsOf(test), 0))
    const slowest = Math.max(...files.map(secondsOf))
    expect(Math.max(...seconds) - Math.min(...seconds)).toBeLessThanOrEqual(slowest)
  })
})

const byPath = (a: TestFile, b: TestFile): number => (a.path < b.path ? -1 : 1)
