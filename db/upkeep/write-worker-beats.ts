import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { startBeats, type Beats } from '../playback/beats.ts'
import { queries } from '../queries.ts'

/** Rows of killed workers are deleted after a day. */
const KEPT = sql<Date>`now() - interval '1 day'`

/** Records that a worker runs and which queues it serves; deletes the rows of killed workers. */
async function recordBeat(em: EntityManager, worker: string, queues: string[]): Promise<void> {
  await queries(em)
    .with('old', (db) => db.deleteFrom('worker_beat').where('seenAt', '<', KEPT))
    .insertInto('worker_beat')
    .values({ worker, queues })
    .onConflict((conflict) => conflict.column('worker').doUpdateSet({ queues, seenAt: sql`now()` }))
    .execute()
}

async function removeBeat(em: EntityManager, worker: string): Promise<void> {
  await queries(em).deleteFrom('worker_beat').where('worker', '=', worker).execute()
}

/** Records that a worker runs until it is stopped, which deletes the row. */
export const startBeating = (
  openEm: () => EntityManager,
  worker: string,
  queues: readonly string[],
): Beats =>
  startBeats(
    () => recordBeat(openEm(), worker, [...queues]),
    () => removeBeat(openEm(), worker),
  )
