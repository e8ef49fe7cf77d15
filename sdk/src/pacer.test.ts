import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { createPacer } from './follow-events.ts'

const DAY_MS = 86_400_000

describe('the pace of a follower', () => {
  beforeEach(() => void jest.useFakeTimers())
  afterEach(() => void jest.useRealTimers())

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
    await jest.advanceTimersByTimeAsync(0)
    expect(sent).toBe(60)
    await jest.advanceTimersByTimeAsync(DAY_MS)
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
