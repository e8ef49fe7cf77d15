import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { ALIVE_MS } from '../playback/beats.ts'
import { queries } from '../queries.ts'

/** The running workers by name, with the queues that each serves. */
export const findLiveWorkers = (
  em: EntityManager,
): Promise<{ worker: string; queues: string[] }[]> =>
  queries(em)
    .selectFrom('worker_beat')
    .select(['worker', 'queues'])
    .where('seenAt', '>', sql<Date>`now() - ${ALIVE_MS}::int * interval '1 millisecond'`)
    .orderBy('worker')
    .execute()
