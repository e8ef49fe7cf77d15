import type { Client } from '@temporalio/client'
import { inNamespace } from './connect.ts'
import { TASK_QUEUES } from './names.ts'

/**
 * Where the workflows of deliveries begin, and where else they may run: in the namespace of all others, where those of the release
 * before began, and in one of their own (ADR 0060).
 */
export interface DeliveryPlaces {
  begin: { client: Client; taskQueue: string }
  /** Null if both are one namespace. */
  other: Client | null
}

/**
 * Returns the places, by a client of the namespace of all other workflows. Deliveries begin in that one until every worker
 * knows the other (`isKnownToAll`): workers of the release before would take them for lost.
 */
export function deliveryPlaces(
  main: Client,
  namespace: string,
  isKnownToAll: boolean,
): DeliveryPlaces {
  const own = inNamespace(main, namespace)
  if (own === main)
    return { begin: { client: main, taskQueue: TASK_QUEUES.deliveries }, other: null }
  return isKnownToAll
    ? { begin: { client: own, taskQueue: TASK_QUEUES.deliveries }, other: main }
    : { begin: { client: main, taskQueue: TASK_QUEUES.webhooks }, other: own }
}

/** The clients of both places, that where deliveries begin first. */
export const clientsOf = ({ begin, other }: DeliveryPlaces): Client[] =>
  other ? [begin.client, other] : [begin.client]
