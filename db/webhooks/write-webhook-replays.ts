import { REPLAY_COUNTED_EVENTS_MAX } from '../../domain/limits.ts'
import type { ReplayStatus } from '../../domain/webhooks/webhook-delivery.ts'
import type { EntityManager } from '../database.ts'
import { WebhookReplay } from '../entities/webhook-replay.ts'
import { queries } from '../queries.ts'
import { NO_DELIVERIES, type ReplayDetails } from './webhook-replays.ts'

export interface NewReplay {
  accountId: number
  /** Null for every endpoint of the account. */
  endpointId: number | null
  /** Start of the range, inclusive; `until` is exclusive. */
  since: Date
  until: Date
  status: ReplayStatus
}

/** Inserts a replay with the number of events in its range, counted up to a million. Fails (`unique`) if a replay of the account is running. */
export async function insertReplay(em: EntityManager, replay: NewReplay): Promise<ReplayDetails> {
  const { accountId, since, until } = replay
  const { eventCount } = await queries(em)
    .selectFrom((eb) =>
      eb
        .selectFrom('event')
        .select('id')
        .where('accountId', '=', accountId)
        .where('createdAt', '>=', since)
        .where('createdAt', '<', until)
        .limit(REPLAY_COUNTED_EVENTS_MAX)
        .as('counted'),
    )
    .select(({ fn }) => fn.countAll<number>().as('eventCount'))
    .executeTakeFirstOrThrow()
  const inserted = await queries(em)
    .insertInto('webhook_replay')
    .values({ ...replay, eventCount })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { replay: inserted, deliveries: NO_DELIVERIES }
}

/** Ends a running replay. Does nothing if it has ended already. */
export async function endReplay(
  em: EntityManager,
  id: number,
  state: 'completed' | 'cancelled',
): Promise<void> {
  await em.nativeUpdate(WebhookReplay, { id, state: 'running' }, { state, completedAt: new Date() })
}
