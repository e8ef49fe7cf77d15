import { sql } from 'kysely'
import type { DeliveryErrorCode, DisabledReason } from '../../domain/webhooks/webhook-delivery.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

export interface FailingEndpoint {
  id: number
  url: string
  failureCount: number
  /** Null while it is active. */
  disabledReason: DisabledReason | null
  /** Of the newest deliveries; null if none of their attempts failed, or none is kept. */
  lastError: LastError | null
}

interface LastError {
  errorCode: DeliveryErrorCode
  /** Null without a response. */
  responseStatus: number | null
  failedAt: Date
}

/** How many of the newest deliveries of an endpoint are searched, so that the cost has a limit. */
const SEARCHED_DELIVERIES = 20

/** The endpoints whose last attempts failed, and those that were disabled for it, each with its last error. */
export async function listFailingEndpoints(
  em: EntityManager,
  accountId: number,
): Promise<FailingEndpoint[]> {
  const endpoints = await queries(em)
    .selectFrom('webhook_endpoint')
    .select(['id', 'url', 'failureCount', 'disabledReason'])
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .where((eb) =>
      eb.or([
        eb.and([eb('isActive', '=', true), eb('failureCount', '>', 0)]),
        eb('disabledReason', 'in', ['failures', 'gone']),
      ]),
    )
    .orderBy('id', 'desc')
    .execute()
  const errors = await readLastErrors(
    em,
    endpoints.map(({ id }) => id),
  )
  return endpoints.map((endpoint) => ({ ...endpoint, lastError: errors.get(endpoint.id) ?? null }))
}

async function readLastErrors(
  em: EntityManager,
  endpointIds: number[],
): Promise<Map<number, LastError>> {
  if (endpointIds.length === 0) return new Map()
  const rows = await queries(em)
    .selectFrom('webhook_endpoint as e')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('webhook_delivery as d')
          .select('d.id')
          .whereRef('d.endpointId', '=', 'e.id')
          .orderBy('d.id', 'desc')
          .limit(SEARCHED_DELIVERIES)
          .as('d'),
      (on) => on.onTrue(),
    )
    .innerJoin('webhook_attempt as t', 't.deliveryId', 'd.id')
    .distinctOn('e.id')
    .select(['e.id', 't.responseStatus', 't.startedAt as failedAt'])
    // `is not null` below.
    .select(sql<DeliveryErrorCode>`t.error_code`.as('errorCode'))
    .where('e.id', 'in', endpointIds)
    .where('t.errorCode', 'is not', null)
    .orderBy('e.id')
    .orderBy('t.startedAt', 'desc')
    .execute()
  return new Map(rows.map(({ id, ...error }) => [id, error]))
}
