import {
  readDays,
  readHours,
  readPeaks,
  type AudienceRange,
  type DayPeak,
  type SeriesRow,
} from '../../db/audience/read-audience.ts'
import { readFirstFrameSteps } from '../../db/audience/read-breakdowns.ts'
import { readRangeSketches } from '../../db/audience/sketches.ts'
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
  const both = { ...range, from: before.from }
  const read = { days: await readDays(em, both), peaks: await readPeaks(em, both) }
  const steps = await readFirstFrameSteps(em, range, before)
  const current = within(read, range)
  const previous = within(read, before)
  return {
    videoId,
    from,
    to,
    interval,
    range: factsOf(current, await countViewers(em, range, current), steps.range),
    previous: factsOf(
      previous,
      await countViewers(em, { ...range, ...before }, previous),
      steps.before,
    ),
    rows: interval === 'hour' ? await readHours(em, range) : current.days,
    peaks: current.peaks,
  }
}

/** What is read of the days of a range. */
interface ReadDays {
  days: SeriesRow[]
  peaks: DayPeak[]
}

function within({ days, peaks }: ReadDays, { from, to }: DayRange): ReadDays {
  const isIn = (day: string): boolean => day >= from && day <= to
  return {
    days: days.filter(({ start }) => isIn(start)),
    peaks: peaks.filter(({ day }) => isIn(day)),
  }
}

function factsOf(
  { days, peaks }: ReadDays,
  viewers: Pick<RangeFacts, 'viewers' | 'isViewersExact'>,
  steps: readonly StepCount[],
): RangeFacts {
  const sums = noTotals()
  for (const day of days) addTotals(sums, day)
  return {
    sums,
    ...viewers,
    firstFrameP50Ms: percentileOfSteps(steps, 0.5),
    firstFrameP95Ms: percentileOfSteps(steps, 0.95),
    peak: Math.max(0, ...peaks.map(({ sessions }) => sessions)),
  }
}

/** The viewers of one day are counted; those of more days are estimated. */
async function countViewers(
  em: EntityManager,
  range: AudienceRange,
  { days }: ReadDays,
): Promise<Pick<RangeFacts, 'viewers' | 'isViewersExact'>> {
  if (range.from === range.to) return { viewers: days[0]?.viewers ?? 0, isViewersExact: true }
  const all = emptySketch()
  for (const sketch of await readRangeSketches(em, range)) uniteStored(all, sketch)
  return { viewers: estimateViewers(all), isViewersExact: false }
}
