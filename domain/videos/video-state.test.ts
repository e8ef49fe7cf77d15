import { describe, expect, it } from 'vitest'
import { canMove, isFinal, isPlayable, statesBefore, VIDEO_STATUSES } from './video-state.ts'

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

  it.each(pairs)('allow $from to $to only if the table has it', ({ from, to }) => {
    expect(canMove(from, to)).toBe(allowed.has(`${from}>${to}`))
  })

  it('are final only for ready and failed', () => {
    expect(VIDEO_STATUSES.filter(isFinal)).toEqual(['ready', 'failed'])
  })

  it('are playable from the first rung on', () => {
    expect(VIDEO_STATUSES.filter(isPlayable)).toEqual(['playable', 'ready'])
  })

  it('can become failed from every other state', () => {
    expect(statesBefore('failed')).toEqual(['queued', 'processing', 'playable'])
  })
})
