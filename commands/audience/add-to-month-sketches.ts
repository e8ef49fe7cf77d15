import { readMonthSketches, type DaySketch, type MonthOf } from '../../db/audience/sketches.ts'
import { writeMonthSketches } from '../../db/audience/write-sketches.ts'
import type { EntityManager } from '../../db/database.ts'
import { monthDayOf } from '../../domain/audience/fold-sessions.ts'
import {
  emptySketch,
  packSketch,
  uniteStored,
  type Sketch,
} from '../../domain/audience/viewer-sketch.ts'

/** Adds the viewers of days, whose sketches are written, to those of their months. Only one transaction may do so at a time. */
export async function addToMonthSketches(
  tx: EntityManager,
  days: readonly DaySketch[],
): Promise<void> {
  const months = await openMonths(tx, days)
  for (const day of days) {
    const month = months.get(keyOf(monthOf(day)))
    if (month && uniteStored(month.sketch, day.bytes)) month.isChanged = true
  }
  const changed = [...months.values()].filter(({ isChanged }) => isChanged)
  await writeMonthSketches(
    tx,
    changed.map(({ month, sketch }) => ({ ...month, bytes: packSketch(sketch) })),
  )
}

interface OpenMonth {
  month: MonthOf
  sketch: Sketch
  isChanged: boolean
}

/** Reads the sketches of the months of days. One that is not stored yet has the viewers of all its days. */
async function openMonths(
  tx: EntityManager,
  days: readonly DaySketch[],
): Promise<ReadonlyMap<string, OpenMonth>> {
  const open = new Map<string, OpenMonth>()
  for (const month of days.map(monthOf))
    open.set(keyOf(month), { month, sketch: emptySketch(), isChanged: false })
  const wanted = [...open.values()].map(({ month }) => month)
  for (const row of await readMonthSketches(tx, wanted)) {
    const month = open.get(keyOf(row))
    if (!month) continue
    uniteStored(month.sketch, row.bytes)
    month.isChanged = !row.isStored
  }
  return open
}

const monthOf = ({ accountId, videoId, day }: DaySketch): MonthOf => ({
  accountId,
  videoId,
  monthDay: monthDayOf(day),
})

const keyOf = ({ accountId, videoId, monthDay }: MonthOf): string =>
  `${accountId} ${videoId} ${monthDay}`
