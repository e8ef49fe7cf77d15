import { describe, expect, it } from 'vitest'
import { chunkRunsOf } from './chunk-runs.ts'

describe('the chunks of a rendition', () => {
  it('are joined to runs of neighbours that are equally far, in the order of the video', () => {
    expect(chunkRunsOf({ count: 8, done: [1, 0, 5], running: [3, 2] })).toEqual([
      { stage: 'done', count: 2 },
      { stage: 'running', count: 2 },
      { stage: 'waiting', count: 1 },
      { stage: 'done', count: 1 },
      { stage: 'waiting', count: 2 },
    ])
  })

  it('wait while none has begun', () => {
    expect(chunkRunsOf({ count: 3, done: [], running: [] })).toEqual([
      { stage: 'waiting', count: 3 },
    ])
  })
})
