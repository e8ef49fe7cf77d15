import { describe, expect, it } from '@jest/globals'
import { VIDEO_STATUSES, canMove, isFinal, isPlayable, statesBefore } from './video-state.ts'

describe('video states', () => {
  const allowed = new Set([
    'queued>processing',
    'queued>failed',
    'processing>playable',
    'processing>failed',
    'playable>ready',
    'playable>failed',
  ])
  const pairs = VIDEO_STATUSES.flatMap((from) => VIDEO_STATUSES.map((to) => ({ from, to })))

  it.each(pairs)('$from to $to holds only where the table has it', ({ from, to }) => {
    expect(canMove(from, to)).toBe(allowed.has(`${from}>${to}`))
  })

  it('ends in ready and failed only', () => {
    expect(VIDEO_STATUSES.filter(isFinal)).toEqual(['ready', 'failed'])
  })

  it('plays from the first encoded resolution on', () => {
    expect(VIDEO_STATUSES.filter(isPlayable)).toEqual(['playable', 'ready'])
  })

  it('names the states before failed', () => {
    expect(statesBefore('failed')).toEqual(['queued', 'processing', 'playable'])
  })
})
