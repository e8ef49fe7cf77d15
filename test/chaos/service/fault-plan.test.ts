import { expect, it } from 'vitest'
import { FAILURES, isKill, KILLS, planFaults } from './fault-plan.ts'

const WITHIN_MS = 600_000
const SEEDS = Array.from({ length: 50 }, (_, seed) => seed)
const planOf = (seed: number, faults = 500) => planFaults({ seed, faults, withinMs: WITHIN_MS })

it('the same seed gives the same plan, and another seed another', () => {
  for (const seed of SEEDS) expect(planOf(seed)).toEqual(planOf(seed))
  expect(new Set(SEEDS.map((seed) => JSON.stringify(planOf(seed)))).size).toBe(SEEDS.length)
})

it.each([0, 1, 7, 19, 500])(
  'a plan of %i faults has that many, spread over all kinds',
  (faults) => {
    for (const seed of SEEDS) {
      const plan = planOf(seed, faults)
      expect(plan).toHaveLength(faults)
      const counts = [...KILLS, ...FAILURES].map(
        (kind) => plan.filter((fault) => fault.kind === kind).length,
      )
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
    }
  },
)

it('every fault ends within the time, and before the next of its kind begins', () => {
  for (const seed of SEEDS) {
    const plan = planOf(seed)
    for (const kind of [...KILLS, ...FAILURES]) {
      let freeFromMs = 0
      for (const { atMs, lastsMs } of plan.filter((fault) => fault.kind === kind)) {
        expect(atMs).toBeGreaterThanOrEqual(freeFromMs)
        freeFromMs = atMs + lastsMs
      }
      expect(freeFromMs).toBeLessThanOrEqual(WITHIN_MS)
    }
  }
})

it('only a kill takes no time', () => {
  for (const { kind, lastsMs } of planOf(1)) expect(lastsMs === 0).toBe(isKill(kind))
})

it('refuses more faults than fit into the time', () => {
  expect(() => planFaults({ seed: 1, faults: 500, withinMs: 5_000 })).toThrow('do not fit')
})
