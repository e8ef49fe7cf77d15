import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { ALIVE_MS } from '../playback/beats.ts'
import { queries } from '../queries.ts'

export interface LiveWorker {
  worker: string
  queues: string[]
  /** Null for a worker of the release before. */
  deliveriesNamespace: string | null
}

/** The running workers by name, with the queues that each serves. */
export const findLiveWorkers = (em: EntityManager): Promise<LiveWorker[]> =>
  queries(em)
    .selectFrom('worker_beat')
    .select(['worker', 'queues', 'deliveriesNamespace'])
    .where('seenAt', '>', ALIVE_SINCE)
    .orderBy('worker')
    .execute()

/**
 * Returns whether every running worker that takes deliveries does so in this namespace too. No worker of the release before does, and
 * each of them may start deliveries.
 */
export async function isDeliveriesNamespaceKnown(
  em: EntityManager,
  namespace: string,
): Promise<boolean> {
  const other = await queries(em)
    .selectFrom('worker_beat')
    .select('worker')
    .where('seenAt', '>', ALIVE_SINCE)
    .where((eb) =>
      eb.or([
        eb('deliveriesNamespace', 'is', null),
        eb.and([
          eb('deliveriesNamespace', '!=', namespace),
          sql<boolean>`'webhooks' = any(queues)`,
        ]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return other === undefined
}

const ALIVE_SINCE = sql<Date>`now() - ${ALIVE_MS}::int * interval '1 millisecond'`
