import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { createLookupQueue } from './resolve.ts'

const never = new AbortController().signal

describe('the lookup queue', () => {
  it('runs calls in their order, and never more than its limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.boolean(), { maxLength: 20 }),
        async (count, abortions) => {
          const queue = createLookupQueue(count)
          const started: number[] = []
          const running: (() => void)[] = []
          const calls = abortions.map((isAborted, index) => {
            const controller = new AbortController()
            void queue.waitForTurn(controller.signal).then(
              (release) => {
                started.push(index)
                running.push(release)
              },
              () => {},
            )
            return { isAborted, controller }
          })
          await turn()
          expect(started).toEqual(calls.map((_, index) => index).slice(0, count))
          for (const { isAborted, controller } of calls.slice(count))
            if (isAborted) controller.abort()
          for (let release = running.shift(); release; release = running.shift()) {
            release()
            await turn()
            expect(running.length).toBeLessThanOrEqual(count)
          }
          const expected = calls.flatMap(({ isAborted }, index) =>
            index >= count && isAborted ? [] : [index],
          )
          expect(started).toEqual(expected)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('rejects a call whose signal has already aborted, and keeps its turn free', async () => {
    const queue = createLookupQueue(1)
    await expect(queue.waitForTurn(AbortSignal.abort('over'))).rejects.toBe('over')
    expect(await queue.waitForTurn(never)).toBeInstanceOf(Function)
  })
})
