import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { FAILURES, KILLS } from './fault-plan.ts'
import { summarise } from './report.ts'
import { planOf, runServiceChaos } from './service-chaos.ts'

/** A quarter of the kinds, which the seed draws; `npm run chaos` makes all of them. */
const FAULTS = Math.ceil([...KILLS, ...FAILURES].length / 4)
const ACCOUNTS = 2
const { CHAOS_SEED = String(randomInt(2 ** 31)) } = process.env

it('one fault of each of five kinds during the work of several accounts loses, blocks, leaves and reveals nothing', async () => {
  const seed = Number(CHAOS_SEED)
  const options = { seed, faults: FAULTS, accounts: ACCOUNTS, tell: () => {} }
  const repeat = `CHAOS_SEED=${seed} repeats this`
  const result = await runServiceChaos(options).catch((cause: unknown) => {
    throw new Error(repeat, { cause })
  })
  const { findings } = summarise(result, seed)
  expect(findings.length > 0 ? [...findings, repeat] : []).toEqual([])
  const planned = planOf(options).map(({ kind }) => kind)
  expect(new Set(planned).size).toBe(FAULTS)
  const made = planned.filter((kind) => !result.faults.skipped.has(kind))
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
