import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectDir } from '../../scripts/bootstrap/tools.mjs'
import { recordedDurations } from '../../scripts/testing/durations.ts'
import { shardOf, slowestFirst } from './slowest-first.ts'

const recorded = recordedDurations()
const files = ['domain/encoding/ladder.test.ts', ...Object.keys(recorded)].map((path) => ({
  moduleId: join(projectDir, path),
}))
type TestFile = (typeof files)[number]
const secondsOf = ({ moduleId }: TestFile): number =>
  recorded[moduleId.slice(projectDir.length)] ?? 2

describe('the order of the test files', () => {
  it('is from the slowest to the fastest', () => {
    const sorted = slowestFirst(files).map(secondsOf)
    expect(sorted).toEqual(sorted.toSorted((a, b) => b - a))
  })
})

describe('the shards', () => {
  it.each([1, 2, 3, 4, 7])('of %d have each file once, and about the same time', (count) => {
    const shards = Array.from({ length: count }, (_, index) =>
      shardOf(files, { index: index + 1, count }),
    )
    expect(shards.flat().toSorted(byPath)).toEqual(files.toSorted(byPath))
    const seconds = shards.map((shard) => shard.reduce((sum, test) => sum + secondsOf(test), 0))
    const slowest = Math.max(...files.map(secondsOf))
    expect(Math.max(...seconds) - Math.min(...seconds)).toBeLessThanOrEqual(slowest)
  })
})

const byPath = (a: TestFile, b: TestFile): number => (a.moduleId < b.moduleId ? -1 : 1)
