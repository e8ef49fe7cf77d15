import {
  readDays,
  readHours,
  readPeaks,
  readRange,
  readRangeSketches,
  type AudienceRange,
} from '../../db/audience/read-audience.ts'
import { readBreakdown } from '../../db/audience/read-breakdowns.ts'
import type { EntityManager } from '../../db/database.ts'
import { ALL_VIDEOS } from '../../domain/audience/fold-sessions.ts'
import { percentileOfSteps } from '../../domain/audience/percentile-of-steps.ts'
import { rangeBefore, type Interval } from '../../domain/audience/ranges.ts'
import {
  emptySketch,
  estimateViewers,
  uniteSketches,
  unpackSketch,
} from '../../domain/audience/viewer-sketch.ts'
import type { AudienceFacts, RangeFacts } from '../../views/audience/audience.ts'

/** More than the steps of the time to the first frame. */
const STEPS_MAX = 100

/** Reads the audience of an account, or of one of its videos, with that of the same number of days before. */
export async function readAudience(
  em: EntityManager,
  {
    accountId,
    videoId,
    interval,
    from,
    to,
  }: { accountId: number; videoId: string | null; interval: Interval; from: string; to: string },
): Promise<AudienceFacts> {
  const range = { accountId, videoId: videoId ?? ALL_VIDEOS, from, to }
  const peaks = await readPeaks(em, range)
  return {
    videoId,
    from,
    to,
    interval,
    range: await readRangeFacts(em, range, peaks),
    previous: await readRangeFacts(em, { ...range, ...rangeBefore(from, to) }),
    rows: interval === 'hour' ? await readHours(em, range) : await readDays(em, range),
    peaks,
  }
}

async function readRangeFacts(
  em: EntityManager,
  range: AudienceRange,
  peaks?: readonly { sessions: number }[],
): Promise<RangeFacts> {
  const sums = await readRange(em, range)
  const steps = await readBreakdown(em, range, 'startup', STEPS_MAX)
  const isOneDay = range.from === range.to
  return {
    sums,
    viewers: isOneDay ? sums.viewerDays : await estimateRange(em, range),
    isViewersExact: isOneDay,
    firstFrameP50Ms: percentileOfSteps(steps, 0.5),
    firstFrameP95Ms: percentileOfSteps(steps, 0.95),
    peak: Math.max(0, ...(peaks ?? (await readPeaks(em, range))).map(({ sessions }) => sessions)),
  }
}

async function estimateRange(em: EntityManager, range: AudienceRange): Promise<number> {
  const all = emptySketch()
  for (const stored of await readRangeSketches(em, range)) uniteSketches(all, unpackSketch(stored))
  return estimateViewers(all)
}
