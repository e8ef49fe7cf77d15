import { isOnlyCounter } from '../../db/audience/audience-lock.ts'
import {
  listUnclosedVideos,
  lockMonthToClose,
  readSketchesOfMonth,
  type AccountMonth,
} from '../../db/audience/months-to-close.ts'
import {
  deleteMonths,
  insertMonths,
  noteClosedBefore,
  type MonthOf,
  type SketchOfMonth,
} from '../../db/audience/write-months.ts'
import type { EntityManager } from '../../db/database.ts'
import {
  dayOf,
  dayOfHour,
  monthDayOf,
  type HourDelta,
} from '../../domain/audience/fold-sessions.ts'
import { monthAfter } from '../../domain/audience/ranges.ts'
import { packSketch, uniteStored } from '../../domain/audience/viewer-sketch.ts'
import { monthStart, utcDay } from '../../domain/timestamps.ts'

/** A session lasts a day, and is counted minutes later. */
const WAIT_MS = 3 * 86_400_000

/**
 * Writes rows for up to `limit` videos of one month that is over, in one transaction. Returns false when nothing is left, or while
 * another transaction counts. Safe to run twice, and to kill.
 */
export const closeMonths = (
  em: EntityManager,
  limit: number,
  nowMs = Date.now(),
): Promise<boolean> =>
  em.transactional(async (tx) => {
    // Otherwise a session might be added to the days between the reading and the writing.
    if (!(await isOnlyCounter(tx))) return false
    const before = monthStart(utcDay(nowMs - WAIT_MS))
    const next = await lockMonthToClose(tx, before)
    if (next === null) return false
    const { accountId, month } = next
    if (month === null || month >= before) {
      await noteClosedBefore(tx, accountId, before)
      return true
    }
    const of = { accountId, month }
    const videoIds = await listUnclosedVideos(tx, of, limit)
    await insertMonths(tx, of, await sketchesOf(tx, of, videoIds))
    if (videoIds.length < limit) await noteClosedBefore(tx, accountId, monthAfter(month))
    return true
  })

async function sketchesOf(
  tx: EntityManager,
  of: AccountMonth,
  videoIds: readonly string[],
): Promise<SketchOfMonth[]> {
  const days = Map.groupBy(await readSketchesOfMonth(tx, of, videoIds), ({ videoId }) => videoId)
  return videoIds.map((videoId) => {
    const sketches = days.get(videoId)?.map(({ sketch }) => sketch)
    return { videoId, bytes: sketches ? packSketch(uniteStored(sketches)) : null }
  })
}

/** Takes back the rows of closed months to which sessions are added. */
export async function reopenMonths(
  tx: EntityManager,
  hours: readonly HourDelta[],
  nowMs = Date.now(),
): Promise<void> {
  const thisMonth = monthDayOf(dayOf(nowMs))
  const late = new Map<string, MonthOf>()
  for (const { accountId, videoId, hour } of hours) {
    const monthDay = monthDayOf(dayOfHour(hour))
    if (monthDay < thisMonth)
      late.set(`${accountId} ${videoId} ${monthDay}`, { accountId, videoId, monthDay })
  }
  if (late.size > 0) await deleteMonths(tx, [...late.values()])
}
