/** A value of a breakdown by steps, such as the times to the first frame. */
export interface StepCount {
  /** The upper end of the step, as text. */
  value: string
  plays: number
}

/**
 * Returns the upper end of the step that contains the percentile `share` of all plays; null if there are none. It is at most one step
 * too large.
 */
export function percentileOfSteps(counts: readonly StepCount[], share: number): number | null {
  const steps = counts
    .map(({ value, plays }) => ({ end: Number(value), plays }))
    .filter(({ end }) => Number.isFinite(end))
    .toSorted((a, b) => a.end - b.end)
  const all = steps.reduce((sum, { plays }) => sum + plays, 0)
  if (all === 0) return null
  let below = 0
  for (const { end, plays } of steps) {
    below += plays
    if (below >= all * share) return end
  }
  return steps.at(-1)?.end ?? null
}
