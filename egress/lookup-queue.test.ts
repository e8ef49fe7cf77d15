import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLookupQueue } from './lookup-queue.ts'

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
            void queue.waitForTurn(controller.signal, index).then(
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

  it('gives one account half of the turns, and lets accounts take turns', async () => {
    const queue = createLookupQueue(2)
    const started: string[] = []
    const wait = async (name: string, accountId: number): Promise<() => void> => {
      const release = await queue.waitForTurn(never, accountId)
      started.push(name)
      return release
    }
    const held = [1, 2, 3].map((n) => wait(`a${n}`, 1))
    const [b1, b2, b3, c1] = [wait('b1', 2), wait('b2', 2), wait('b3', 2), wait('c1', 3)]
    await turn()
    expect(started).toEqual(['a1', 'b1'])
    // The first account's names never respond, and those of the others still get their turns.
    for (const other of [b1, b2, c1, b3]) (await other)()
    expect(started).toEqual(['a1', 'b1', 'b2', 'c1', 'b3'])
    for (const one of held) (await one)()
    expect(started.slice(5)).toEqual(['a2', 'a3'])
  })
})
