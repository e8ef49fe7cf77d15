import { expect, it } from 'vitest'
import { createReadChunks } from './read-chunks.ts'

const frames = (startFrame: number, endFrame: number | null) => ({ startFrame, endFrame })

it('a chunk has been read if one of the same frames was, whatever the plan', () => {
  const reads = createReadChunks()
  reads.add('video', frames(240, 480))
  reads.add('video', frames(960, null))
  const has = (start: number, end: number | null) => reads.has('video', frames(start, end))
  expect([has(0, 240), has(480, 960)]).toEqual([false, false])
  expect([has(0, 960), has(239, 241), has(300, 310), has(479, 960), has(4_000, null)]).toEqual(
    Array(5).fill(true),
  )
  expect(reads.has('other', frames(240, 480))).toBe(false)
})
