import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPacer } from './follow-events.ts'

const DAY_MS = 86_400_000

describe('the pace of a follower', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('stays below 10,000 requests a day, however often it is called', async () => {
    const pace = createPacer()
    const { signal } = new AbortController()
    let sent = 0
    void (async () => {
      for (;;) {
        await pace(signal)
        sent += 1
      }
    })()
    await vi.advanceTimersByTimeAsync(0)
    expect(sent).toBe(60)
    await vi.advanceTimersByTimeAsync(DAY_MS)
    expect(sent).toBeGreaterThan(8_600)
    expect(sent).toBeLessThan(9_000)
  })

  it('rejects when its signal aborts', async () => {
    const pace = createPacer()
    const stop = new AbortController()
    for (let count = 0; count < 60; count += 1) await pace(stop.signal)
    const waiting = pace(stop.signal)
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })
})
