import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const FILE = new URL('./durations.json', import.meta.url)
const RECORDED_FROM_SECONDS = 5

/**
 * Returns how many seconds each test file took in the recorded run, by its path in the repository. Files that took
 * less than five seconds are not recorded.
 */
export function recordedDurations(): Record<string, number> {
  return z.record(z.string(), z.number()).parse(JSON.parse(readFileSync(FILE, 'utf8')))
}

/** Replaces the record by the seconds of a run of the whole suite. */
export function recordDurations(seconds: Record<string, number>): void {
  const slow = Object.entries(seconds)
    .filter(([, value]) => value >= RECORDED_FROM_SECONDS)
    .map(([path, value]) => [path, Math.round(value)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(slow), null, 2)}\n`)
}
