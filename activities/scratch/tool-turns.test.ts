import { availableParallelism } from 'node:os'
import { expect, it, vi } from 'vitest'
import { until } from '../../test/infrastructure/wait-for.ts'
import { inToolTurn } from './tool-turns.ts'

const places = Math.max(2, availableParallelism())

it('few steps run tools at the same time; those that wait report it, and end when they are cancelled', async () => {
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
  const steps = Array.from({ length: places + 3 }, () => inToolTurn(7, { signal }, run))
  const cancelled = new AbortController()
  const onProgress = vi.fn()
  const last = inToolTurn(7, { signal: cancelled.signal, onProgress }, run)
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
  const backlog = Array.from({ length: 50 }, () =>
    inToolTurn(7, { signal, niceness: 15 }, () => end),
  )
  await inToolTurn(7, { signal }, async () => {})
  resolve()
  await Promise.all(backlog)
})

it('an account with few steps does not wait for all of another account', async () => {
  const { signal } = new AbortController()
  const ends: (() => void)[] = []
  const begun: number[] = []
  const step = (accountId: number) =>
    inToolTurn(accountId, { signal }, () => {
      begun.push(accountId)
      return new Promise<void>((end) => void ends.push(end))
    })
  const many = Array.from({ length: places + 4 }, () => step(1))
  const few = [step(2), step(2)]
  await until(async () => begun.length === places)
  for (let ended = 0; ended < many.length + few.length; ended += 1) {
    await until(async () => ends.length > ended)
    ends[ended]?.()
  }
  await Promise.all([...many, ...few])
  expect(begun.slice(places)).toEqual([1, 2, 1, 2, 1, 1])
})
