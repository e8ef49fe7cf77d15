import type { Client } from '@temporalio/client'
import type { Database } from '../db/database.ts'
import { isDeliveriesNamespaceKnown } from '../db/upkeep/worker-beats.ts'
import { deliveryPlaces, type DeliveryPlaces } from '../temporal/delivery-places.ts'

/** Only an upgrade changes the places. */
const REFRESH_MS = 5_000

export interface FollowedPlaces {
  current(): DeliveryPlaces
  /** Looks which workers run, unless it did so lately. Rejects if the database is unavailable. */
  refresh(): Promise<void>
}

/** Follows where the workflows of deliveries begin: in their own namespace once every running worker knows it (ADR 0060). */
export function followPlaces(db: Database, client: Client, namespace: string): FollowedPlaces {
  let places = deliveryPlaces(client, namespace, false)
  let readAtMs = -Infinity
  return {
    current: () => places,
    async refresh() {
      if (places.other === null || performance.now() - readAtMs < REFRESH_MS) return
      const isKnown = await isDeliveriesNamespaceKnown(db.em.fork(), namespace)
      places = deliveryPlaces(client, namespace, isKnown)
      readAtMs = performance.now()
    },
  }
}
