import { availableParallelism } from 'node:os'
import { expect, it, vi } from 'vitest'
import { inToolTurn } from './tool-turns.ts'

it('few steps run tools at the same time; those that wait report it, and end when they are cancelled', async () => {
  const places = Math.max(2, availableParallelism())
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let running = 0
  let most = 0
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const run = async (): Promise<void> => {
    running += 1
    most = Math.max(most, running)
    await end
    running -= 1
  }
  const { signal } = new AbortController()
  const steps = Array.from({ length: places + 3 }, () => inToolTurn({ signal }, run))
  const cancelled = new AbortController()
  const onProgress = vi.fn()
  const last = inToolTurn({ signal: cancelled.signal, onProgress }, run)
  vi.advanceTimersByTime(10_000)
  expect(onProgress).toHaveBeenCalledTimes(2)
  cancelled.abort(new Error('cancelled'))
  resolve()
  await expect(last).rejects.toThrow('cancelled')
  await Promise.all(steps)
  expect(most).toBe(places)
  vi.useRealTimers()
})

it('a step that people wait for does not wait for those of a backlog', async () => {
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const { signal } = new AbortController()
  const backlog = Array.from({ length: 50 }, () => inToolTurn({ signal, niceness: 15 }, () => end))
  await inToolTurn({ signal }, async () => {})
  resolve()
  await Promise.all(backlog)
})
