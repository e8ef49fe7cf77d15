import {
  readDays,
  readHours,
  readPeaks,
  readRangeSketches,
  type DayPeak,
  type DaySketch,
  type SeriesRow,
} from '../../db/audience/read-audience.ts'
import { readFirstFrameSteps } from '../../db/audience/read-breakdowns.ts'
import type { EntityManager } from '../../db/database.ts'
import { ALL_VIDEOS } from '../../domain/audience/fold-sessions.ts'
import { percentileOfSteps, type StepCount } from '../../domain/audience/percentile-of-steps.ts'
import { rangeBefore, type DayRange, type Interval } from '../../domain/audience/ranges.ts'
import { addTotals, noTotals } from '../../domain/audience/totals.ts'
import { emptySketch, estimateViewers, uniteStored } from '../../domain/audience/viewer-sketch.ts'
import type { AudienceFacts, RangeFacts } from '../../views/audience/audience.ts'

/** What is asked for; `videoId` is null for all videos of the account. */
interface AudienceQuestion extends DayRange {
  accountId: number
  videoId: string | null
  interval: Interval
}

/** Reads the audience of an account, or of one of its videos, with that of the same number of days before. */
export async function readAudience(
  em: EntityManager,
  { accountId, videoId, interval, from, to }: AudienceQuestion,
): Promise<AudienceFacts> {
  const range = { accountId, videoId: videoId ?? ALL_VIDEOS, from, to }
  const before = rangeBefore(from, to)
  // Each statement reads both ranges.
  const both = { ...range, from: before.from }
  const read = {
    days: await readDays(em, both),
    peaks: await readPeaks(em, both),
    sketches: await readRangeSketches(em, both),
  }
  const steps = await readFirstFrameSteps(em, range, before)
  const current = within(read, range)
  return {
    videoId,
    from,
    to,
    interval,
    range: factsOf(range, current, steps.range),
    previous: factsOf(before, within(read, before), steps.before),
    rows: interval === 'hour' ? await readHours(em, range) : current.days,
    peaks: current.peaks,
  }
}

/** What is read of the days of a range. */
interface ReadDays {
  days: SeriesRow[]
  peaks: DayPeak[]
  sketches: DaySketch[]
}

function within({ days, peaks, sketches }: ReadDays, { from, to }: DayRange): ReadDays {
  const isIn = (day: string): boolean => day >= from && day <= to
  return {
    days: days.filter(({ start }) => isIn(start)),
    peaks: peaks.filter(({ day }) => isIn(day)),
    sketches: sketches.filter(({ day }) => isIn(day)),
  }
}

function factsOf(
  { from, to }: DayRange,
  { days, peaks, sketches }: ReadDays,
  steps: readonly StepCount[],
): RangeFacts {
  const sums = noTotals()
  for (const day of days) addTotals(sums, day)
  const isOneDay = from === to
  return {
    sums,
    viewers: isOneDay ? (days[0]?.viewers ?? 0) : estimateRange(sketches),
    isViewersExact: isOneDay,
    firstFrameP50Ms: percentileOfSteps(steps, 0.5),
    firstFrameP95Ms: percentileOfSteps(steps, 0.95),
    peak: Math.max(0, ...peaks.map(({ sessions }) => sessions)),
  }
}

function estimateRange(sketches: readonly DaySketch[]): number {
  const all = emptySketch()
  for (const { sketch } of sketches) uniteStored(all, sketch)
  return estimateViewers(all)
}
