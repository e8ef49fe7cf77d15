import { EVENTS } from '../../db/partitions/event-table.ts'
import { PLAYBACK_RECORDS } from '../../db/partitions/partitioned-tables.ts'
import { createPartition, periodStart, readPartitions } from '../../db/partitions/partitioned.ts'
import { runOn, type Run } from '../../db/schema/transactions.ts'
import { addPastWeeks } from '../../test/fixtures/past-weeks.ts'
import { withClient } from '../../test/infrastructure/with-client.ts'

/** For how long a database was used, and how many events it has got in these weeks. */
export interface Past {
  weeks: number
  months: number
  events: number
}

/**
 * Gives a new database the partitions of one that was used for long: the weeks of its deliveries and events, and the months of its
 * playback sessions.
 */
export async function addPastPartitions(databaseUrl: string, past: Past): Promise<void> {
  await addPastWeeks(databaseUrl, past.weeks)
  await withClient(databaseUrl, async (client) => {
    await addPastMonths(runOn(client), past.months)
    await addEvents(runOn(client), past)
  })
}

/** Instead of the first partition of a new database, which has all months until the next. */
async function addPastMonths(run: Run, months: number): Promise<void> {
  const [first] = await readPartitions(run, PLAYBACK_RECORDS)
  if (!first?.to) throw new Error('playback_record has no first partition with a limit')
  await run(`drop table ${first.name}`)
  for (let ago = months; ago > -AHEAD_MAX; ago -= 1) {
    const from = periodStart(Date.now(), 'month', -ago)
    if (from >= first.to) return
    const to = periodStart(Date.now(), 'month', 1 - ago)
    await createPartition(run, PLAYBACK_RECORDS, { from, to })
  }
}

/** The first partition of a new database ends within as many months. */
const AHEAD_MAX = 4

async function addEvents(run: Run, { weeks, events }: Past): Promise<void> {
  const partitions = await readPartitions(run, EVENTS)
  const span = Math.max(EVENTS.idsMin, Math.ceil(events / weeks))
  const first = partitions.at(-1)?.to ?? 0
  // As many in a small database: it is as old.
  for (let week = 0; week < weeks || first + week * span <= events; week += 1)
    await createPartition(run, EVENTS, { from: first + week * span, to: first + (week + 1) * span })
}
