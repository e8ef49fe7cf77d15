import { Context } from '@temporalio/activity'
import { closeMonths } from '../../commands/audience/close-months.ts'
import { countSessions, notePlayingNow } from '../../commands/audience/count-sessions.ts'
import { requestDueDeliveries } from '../../commands/xapi/record-stores.ts'
import type { SessionPlace } from '../../db/audience/sessions-to-count.ts'
import type { Database } from '../../db/database.ts'
import { countExperience } from './count-experience.ts'

/** A heartbeat of one of these sessions waits for the batch, which takes about a second. */
const BATCH_SESSIONS = 5_000
/** Videos of a month whose rows are written in one transaction. */
const BATCH_MONTHS = 200
/** The most such transactions of a run: those of an upgrade with years of months may not delay the count. */
const BATCHES_OF_MONTHS = 20

/**
 * Notes how many sessions play now, and adds those that have ended to the sums of the audience, batch by batch. Then requests the
 * deliveries to record stores that are due, and writes the rows of months that are over. Returns how many sessions it added. Safe to run twice, and to end at any line: each batch is one transaction.
 */
export async function countAudience({ db }: { db: Database }): Promise<number> {
  const { heartbeat } = Context.current()
  await notePlayingNow(db.em.fork())
  let count = 0
  let after: SessionPlace | null = null
  do {
    const batch = await countSessions(db.em.fork(), { after, limit: BATCH_SESSIONS })
    countExperience(batch.experience)
    count += batch.sessions
    after = batch.last
    heartbeat(count)
  } while (after !== null)
  await requestDueDeliveries(db.em.fork())
  for (let batch = 0; batch < BATCHES_OF_MONTHS; batch += 1) {
    if (!(await closeMonths(db.em.fork(), BATCH_MONTHS))) break
    heartbeat(count)
  }
  return count
}
