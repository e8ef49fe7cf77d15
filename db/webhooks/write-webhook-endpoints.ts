import { sql } from 'kysely'
import type { SubscribableEventType } from '../../domain/webhooks/events.ts'
import type { DisabledReason } from '../../domain/webhooks/webhook-delivery.ts'
import { lockAccount } from '../accounts/accounts.ts'
import type { EntityManager } from '../database.ts'
import { WebhookEndpoint, type PreviousSecret } from '../entities/event.ts'
import { given } from '../page.ts'
import { queries } from '../queries.ts'

export interface NewWebhookEndpoint {
  accountId: number
  url: string
  description?: string | undefined
  events: SubscribableEventType[]
  sealedSecret: string
}

/** The properties of an endpoint that its owner can change. Absent ones keep their values. */
export interface EndpointChanges {
  url?: string | undefined
  description?: string | undefined
  events?: SubscribableEventType[] | undefined
}

/**
 * Inserts an endpoint and returns its row; null if the account has `most` of them already. Locks the
 * account's row, so that two simultaneous requests cannot both take the last place.
 */
export async function insertWebhookEndpoint(
  em: EntityManager,
  endpoint: NewWebhookEndpoint,
  most: number,
): Promise<WebhookEndpoint | null> {
  const { accountId } = endpoint
  await lockAccount(em, accountId)
  if ((await em.count(WebhookEndpoint, { accountId, deletedAt: null })) >= most) return null
  return queries(em)
    .insertInto('webhook_endpoint')
    .values(endpoint)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Changes an endpoint, in one statement: only if it still has the values `from`. False if it has others, or the
 * account has no such endpoint.
 */
export async function updateWebhookEndpoint(
  em: EntityManager,
  accountId: number,
  id: number,
  changes: EndpointChanges,
  { events, ...from }: EndpointChanges = {},
): Promise<boolean> {
  const data = { ...given(changes), updatedAt: new Date() }
  const present = { id, accountId, deletedAt: null }
  const where = { ...given(from), ...(events && { events: { $eq: events } }), ...present }
  return (await em.nativeUpdate(WebhookEndpoint, where, data)) > 0
}

/** Enables a disabled endpoint and resets its failure count. Does nothing if it is active. */
export async function activateWebhookEndpoint(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<void> {
  const now = new Date()
  await em.nativeUpdate(
    WebhookEndpoint,
    { id, accountId, isActive: false, deletedAt: null },
    {
      isActive: true,
      disabledReason: null,
      failureCount: 0,
      lastSuccessAt: now,
      updatedAt: now,
    },
  )
}

export interface SecretRotation {
  sealedSecret: string
  /** How long the replaced secret still signs; 0 ends earlier overlaps as well. */
  overlapSeconds: number
  /** How many replaced secrets may sign at the same time; the oldest is dropped first. */
  mostPrevious: number
}

/** Gives an endpoint a new secret; the previous one signs too during the overlap. */
export async function rotateWebhookSecret(
  em: EntityManager,
  accountId: number,
  id: number,
  { sealedSecret, overlapSeconds, mostPrevious }: SecretRotation,
): Promise<void> {
  const previous = sql<PreviousSecret[]>`case when ${overlapSeconds}::int = 0 then '[]' else
    jsonb_build_array(jsonb_build_object('sealed_secret', sealed_secret,
      'valid_until', now() + ${overlapSeconds}::int * interval '1 second'))
    || (select coalesce(jsonb_agg(s order by at), '[]')
        from jsonb_array_elements(previous_secrets) with ordinality p (s, at)
        where (s->>'valid_until')::timestamptz > now() and at < ${mostPrevious}::int)
    end`
  await queries(em)
    .updateTable('webhook_endpoint')
    .set({ sealedSecret, previousSecrets: previous, updatedAt: sql`now()` })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .execute()
}

/** Ends the overlap of a rotation: only the current secret of the endpoint signs. */
export async function expirePreviousWebhookSecrets(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<void> {
  await queries(em)
    .updateTable('webhook_endpoint')
    .set({ previousSecrets: sql`'[]'`, updatedAt: sql`now()` })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .where(sql<boolean>`previous_secrets <> '[]'`)
    .execute()
}

/** Disables an active endpoint; null if it is disabled or not the account's. */
export async function deactivateWebhookEndpoint(
  em: EntityManager,
  accountId: number,
  id: number,
  disabledReason: DisabledReason,
): Promise<{ failureCount: number } | null> {
  const disabled = await queries(em)
    .updateTable('webhook_endpoint')
    .set({ isActive: false, disabledReason, updatedAt: sql`now()` })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('isActive', '=', true)
    .returning('failureCount')
    .executeTakeFirst()
  return disabled ?? null
}
