import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createPlaces } from './lookup-places.ts'

const never = new AbortController().signal

describe('places', () => {
  it('are given in the order in which they were asked for, never more than there are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.boolean(), { maxLength: 20 }),
        async (count, givesUp) => {
          const places = createPlaces(count)
          const taken: number[] = []
          const held: (() => void)[] = []
          const asked = givesUp.map((isGivenUp, at) => {
            const controller = new AbortController()
            void places.take(controller.signal).then(
              (giveBack) => {
                taken.push(at)
                held.push(giveBack)
              },
              () => {},
            )
            return { isGivenUp, controller }
          })
          await turn()
          expect(taken).toEqual(givesUp.map((_, at) => at).slice(0, count))
          for (const { isGivenUp, controller } of asked.slice(count))
            if (isGivenUp) controller.abort()
          for (let giveBack = held.shift(); giveBack; giveBack = held.shift()) {
            giveBack()
            await turn()
            expect(held.length).toBeLessThanOrEqual(count)
          }
          const left = givesUp.flatMap((isGivenUp, at) => (at >= count && isGivenUp ? [] : [at]))
          expect(taken).toEqual(left)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('are not given to one that has given up already', async () => {
    const places = createPlaces(1)
    await expect(places.take(AbortSignal.abort('over'))).rejects.toBe('over')
    expect(await places.take(never)).toBeInstanceOf(Function)
  })
})
