import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import type { DisabledEndpoint } from './write-delivery-cancellations.ts'

/** What is left to do for an endpoint. */
export interface UnsettledEndpoint extends DisabledEndpoint {
  isDeleted: boolean
  /** As PostgreSQL writes it, because a Date has no microseconds; null if no delivery is cut off. */
  cutOffAt: string | null
}

/** An endpoint that is deleted, or whose deliveries are cut off; null for any other. */
export async function findUnsettledEndpoint(
  em: EntityManager,
  endpointId: number,
): Promise<UnsettledEndpoint | null> {
  const found = await queries(em)
    .selectFrom('webhook_endpoint')
    .select(['accountId', 'id as endpointId'])
    .select([
      sql<boolean>`deleted_at is not null`.as('isDeleted'),
      sql<string | null>`cut_off_at::text`.as('cutOffAt'),
    ])
    .where('id', '=', endpointId)
    .where((eb) => eb.or([eb('deletedAt', 'is not', null), eb('cutOffAt', 'is not', null)]))
    .executeTakeFirst()
  return found ?? null
}

/** Up to `limit` deliveries of an endpoint, newest first. */
export async function listDeliveriesOfEndpoint(
  em: EntityManager,
  endpointId: number,
  limit: number,
): Promise<number[]> {
  const rows = await queries(em)
    .selectFrom('webhook_delivery')
    .select('id')
    .where('endpointId', '=', endpointId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
