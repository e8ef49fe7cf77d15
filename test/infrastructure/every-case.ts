import { it } from 'vitest'

/**
 * Whether long tests run with every case (`npm run verify:all`). Otherwise they run with some cases of each kind, because
 * `npm test` has to end within 15 minutes on two processors.
 */
export const HAS_EVERY_CASE = process.env.EVERY_CASE === '1'

/** Declares a test that only `npm run verify:all` runs; `npm test` reports it as skipped. */
export const itOfAll = it.runIf(HAS_EVERY_CASE)

/** Returns every case for `npm run verify:all`; otherwise one in `of`, beginning with the first. */
export const someOf = <Case>(cases: readonly Case[], of: number): Case[] =>
  cases.filter((_case, index) => HAS_EVERY_CASE || index % of === 0)

/** Options of a property: tested with `some` random cases, with `all` by `npm run verify:all`. */
export const runs = (some: number, all: number): { numRuns: number } => ({
  numRuns: HAS_EVERY_CASE ? all : some,
})
