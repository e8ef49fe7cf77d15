import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFairSlots } from './fair-slots.ts'

/** The shares of an endpoint and of an account, as webhooks have them. */
const createAttemptSlots = (capacity: number) => createFairSlots(capacity, [1 / 4, 1 / 2])

/** Takes slots for one endpoint until it gets no more. */
function takeAll(slots: ReturnType<typeof createAttemptSlots>, account: number, endpoint: number) {
  const taken: (() => void)[] = []
  for (let place = slots.take(endpoint, account); place; place = slots.take(endpoint, account))
    taken.push(place)
  return taken
}

describe('attempts in flight', () => {
  it('to one endpoint hold at most a fifth of the slots', () => {
    expect(takeAll(createAttemptSlots(400), 1, 1)).toHaveLength(80)
  })

  it('of one account hold at most a third of the slots, regardless of how many endpoints hang', () => {
    const slots = createAttemptSlots(400)
    const taken = Array.from({ length: 20 }, (_, endpoint) => takeAll(slots, 1, endpoint)).flat()
    expect(taken.length).toBeLessThanOrEqual(134)
    expect(takeAll(slots, 2, 100).length).toBeGreaterThan(50)
  })

  it('of ten accounts that hang leave slots for the eleventh', () => {
    const slots = createAttemptSlots(400)
    for (let account = 1; account <= 10; account += 1)
      for (let endpoint = 0; endpoint < 20; endpoint += 1)
        takeAll(slots, account, account * 100 + endpoint)
    expect(slots.take(1, 11)).not.toBeNull()
  })

  it('release exactly the slots that they took, in any order', () => {
    const step = fc.record({
      isTaken: fc.boolean(),
      account: fc.integer({ min: 1, max: 3 }),
      endpoint: fc.integer({ min: 1, max: 4 }),
      which: fc.nat(),
    })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.array(step), (capacity, steps) => {
        const slots = createAttemptSlots(capacity)
        const held: (() => void)[] = []
        for (const { isTaken, account, endpoint, which } of steps) {
          const [place] = isTaken
            ? [slots.take(account * 10 + endpoint, account)]
            : held.splice(which % (held.length || 1), 1)
          if (isTaken && place) held.push(place)
          else if (!isTaken) place?.()
          expect(held.length).toBeLessThanOrEqual(capacity)
        }
        for (const giveBack of held) giveBack()
        expect(takeAll(slots, 9, 99)).toHaveLength(Math.ceil(capacity / 5))
      }),
    )
  })
})
