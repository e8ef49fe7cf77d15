import { expect, it } from '@jest/globals'
import { FAILURES, KILLS } from './fault-plan.ts'
import { summarise } from './report.ts'
import { runServiceChaos } from './service-chaos.ts'

const SEED = 20261123

it('one fault of each kind during the work of several accounts loses, blocks, leaves and reveals nothing', async () => {
  const kinds = [...KILLS, ...FAILURES]
  const result = await runServiceChaos({ seed: SEED, faults: kinds.length, tell: () => {} })
  expect(summarise(result, SEED).findings).toEqual([])
  const made = kinds.filter((kind) => !result.faults.skipped.has(kind))
  expect([...result.faults.counts.keys()].toSorted()).toEqual(made.toSorted())
  expect(Math.min(result.videos, result.deliveries, result.sessions)).toBeGreaterThan(0)
}, 900_000)

it('each finding is counted in the last line and named with the seed', () => {
  const faults = { kills: 3, failures: 4, counts: new Map(), skipped: new Set<never>() }
  const found = { faults, lost: ['a', 'b'], stuck: ['c'], orphans: [], leaked: ['d'] }
  const { findings, line } = summarise(found, 7)
  expect(line).toBe('3 kills, 4 faults, 2 lost, 1 stuck, 0 orphans, 1 leaked')
  expect(findings).toEqual([
    '✗ lost: a (--seed 7)',
    '✗ lost: b (--seed 7)',
    '✗ stuck: c (--seed 7)',
    '✗ leaked: d (--seed 7)',
  ])
})
