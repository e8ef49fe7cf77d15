import { median } from './load.ts'

/** A measurement and that of its anchor, made one after the other, so that a slow phase of the machine reaches both. */
export interface Pair {
  value: number
  anchor: number
}

/** Pairs the measurements of the rounds of a run. Throws unless each has its anchor. */
export function pairUp(values: readonly number[], anchors: readonly number[]): Pair[] {
  if (values.length !== anchors.length) throw new Error('not each measurement has its anchor')
  return values.map((value, at) => ({ value, anchor: anchors[at] ?? Number.NaN }))
}

/** The limits between which the median lies with this confidence. */
const CONFIDENCE = 0.9

/**
 * Returns the narrowest pair of values between which the median of what was measured lies with 90 % confidence, whatever
 * its distribution: the ranks come from the binomial distribution of how many values are below the median. Of five
 * values these are the smallest and the largest (94 %); fewer never reach 90 %.
 */
export function spreadOf(values: readonly number[]): [number, number] {
  const sorted = values.toSorted((a, b) => a - b)
  const { length } = sorted
  let rank = 0
  while (rank + 1 < length / 2 && confidenceAt(rank + 1, length) >= CONFIDENCE) rank += 1
  return [sorted[rank] ?? Number.NaN, sorted[length - 1 - rank] ?? Number.NaN]
}

/** The confidence of the values at `rank` (from 0) and at the same rank from above. */
function confidenceAt(rank: number, count: number): number {
  let [below, term] = [0, 0.5 ** count]
  for (let at = 0; at <= rank; at += 1) {
    below += term
    term *= (count - at) / (at + 1)
  }
  return 1 - 2 * below
}

/** The medians of pairs, and the ratio of the typical pair with its spread. */
export function summarize(pairs: readonly Pair[]) {
  const ratios = pairs.map(({ value, anchor }) => value / anchor)
  return {
    value: median(pairs.map(({ value }) => value)),
    anchor: median(pairs.map(({ anchor }) => anchor)),
    ratio: median(ratios),
    spread: spreadOf(ratios),
    samples: pairs.length,
  }
}
