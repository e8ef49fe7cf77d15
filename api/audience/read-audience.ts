import {
  inDays,
  readRangeParts,
  type AudienceRange,
  type RangeParts,
} from '../../db/audience/range-parts.ts'
import {
  readDays,
  readHours,
  readParts,
  readPeaks,
  type SeriesRow,
} from '../../db/audience/read-audience.ts'
import { readFirstFrameSteps } from '../../db/audience/read-breakdowns.ts'
import { readRangeSketches } from '../../db/audience/sketches.ts'
import type { EntityManager } from '../../db/database.ts'
import { ALL_VIDEOS } from '../../domain/audience/fold-sessions.ts'
import { percentileOfSteps } from '../../domain/audience/percentile-of-steps.ts'
import {
  monthsOfRange,
  rangeBefore,
  type DayRange,
  type Interval,
} from '../../domain/audience/ranges.ts'
import { addTotals, noTotals } from '../../domain/audience/totals.ts'
import { estimateViewers, uniteStored } from '../../domain/audience/viewer-sketch.ts'
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
  const current = await readRange(em, range, interval)
  const previous = await readRange(em, { ...range, ...rangeBefore(from, to) }, interval)
  return {
    videoId,
    from,
    to,
    interval,
    range: current.facts,
    previous: previous.facts,
    rows: interval === 'hour' ? await readHours(em, range) : current.rows,
    peaks: current.peaks,
  }
}

async function readRange(em: EntityManager, range: AudienceRange, interval: Interval) {
  const parts = await readRangeParts(em, range)
  const isMonthly = interval === 'month'
  const rows = isMonthly
    ? await readParts(em, range, monthsOfRange(range))
    : await readDays(em, range)
  const peaks = await readPeaks(em, isMonthly ? parts : inDays(range))
  const steps = await readFirstFrameSteps(em, parts)
  const sums = noTotals()
  for (const row of rows) addTotals(sums, row)
  const facts: RangeFacts = {
    sums,
    ...(await countViewers(em, range, parts, rows)),
    firstFrameP50Ms: percentileOfSteps(steps, 0.5),
    firstFrameP95Ms: percentileOfSteps(steps, 0.95),
    peak: Math.max(0, ...peaks.map(({ sessions }) => sessions)),
  }
  return { facts, rows, peaks }
}

/** The viewers of one day are counted; those of more days are estimated. */
async function countViewers(
  em: EntityManager,
  { from, to }: DayRange,
  parts: RangeParts,
  [first]: readonly SeriesRow[],
): Promise<Pick<RangeFacts, 'viewers' | 'isViewersExact'>> {
  if (from === to) return { viewers: first?.viewers ?? 0, isViewersExact: true }
  const all = uniteStored(await readRangeSketches(em, parts))
  return { viewers: estimateViewers(all), isViewersExact: false }
}
