import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { startBeats, type Beats } from '../playback/beats.ts'
import { queries } from '../queries.ts'

/** Rows of killed workers are deleted after a day. */
const KEPT = sql<Date>`now() - interval '1 day'`

/** What a running worker serves. */
export interface Served {
  queues: string[]
  deliveriesNamespace: string
}

/** Records that a worker runs and what it serves; deletes the rows of killed workers. */
async function recordBeat(em: EntityManager, worker: string, served: Served): Promise<void> {
  await queries(em)
    .with('old', (db) => db.deleteFrom('worker_beat').where('seenAt', '<', KEPT))
    .insertInto('worker_beat')
    .values({ worker, ...served })
    .onConflict((conflict) =>
      conflict.column('worker').doUpdateSet({ ...served, seenAt: sql`now()` }),
    )
    .execute()
}

async function removeBeat(em: EntityManager, worker: string): Promise<void> {
  await queries(em).deleteFrom('worker_beat').where('worker', '=', worker).execute()
}

/** Records that a worker runs until it is stopped, which deletes the row. */
export const startBeating = (openEm: () => EntityManager, worker: string, served: Served): Beats =>
  startBeats(
    () => recordBeat(openEm(), worker, served),
    () => removeBeat(openEm(), worker),
  )
