import type { SubscribableEventType } from '../domain/events.ts'
import type { EntityManager } from './database.ts'
import { WebhookEndpoint } from './entities/event.ts'
import { byId, findPage, given, hasCursor } from './page.ts'
import type { Page, PageRequest } from './page.ts'

export interface NewWebhookEndpoint {
  accountId: number
  url: string
  description?: string | undefined
  events: SubscribableEventType[]
  sealedSecret: string
}

/** What can be changed by hand; what is left out stays. */
export interface EndpointChanges {
  url?: string | undefined
  description?: string | undefined
  events?: SubscribableEventType[] | undefined
}

/**
 * Inserts an endpoint and returns its row; null where the account has `most` of them already.
 * The account's row is locked, so that two requests at once cannot both take the last place.
 */
export async function insertWebhookEndpoint(
  em: EntityManager,
  endpoint: NewWebhookEndpoint,
  most: number,
): Promise<WebhookEndpoint | null> {
  await em.execute('select 1 from account where id = ? for no key update', [endpoint.accountId])
  const { accountId } = endpoint
  if ((await em.count(WebhookEndpoint, { accountId })) >= most) return null
  const id: number = await em.insert(WebhookEndpoint, given(endpoint))
  return em.findOneOrFail(WebhookEndpoint, { id })
}

/** The account's endpoint, or null. */
export const findWebhookEndpoint = (
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<WebhookEndpoint | null> => em.findOne(WebhookEndpoint, { id, accountId })

/** A page of the account's endpoints, newest first. Null where the cursor is none of them. */
export async function listWebhookEndpoints(
  em: EntityManager,
  accountId: number,
  request: PageRequest<number>,
): Promise<Page<WebhookEndpoint> | null> {
  if (!(await hasCursor(em, WebhookEndpoint, accountId, request))) return null
  return findPage(request, (read) => {
    const { where, orderBy } = byId(read)
    return em.find(WebhookEndpoint, { accountId, ...where }, { orderBy, limit: read.limit })
  })
}

/** Changes an endpoint; nothing where the account has none of this id. */
export async function updateWebhookEndpoint(
  em: EntityManager,
  accountId: number,
  id: number,
  changes: EndpointChanges,
): Promise<void> {
  const data = { ...given(changes), updatedAt: new Date() }
  await em.nativeUpdate(WebhookEndpoint, { id, accountId }, data)
}

/** Switches an endpoint on again and counts its failures from 0; nothing where it is on. */
export async function activateWebhookEndpoint(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<void> {
  const now = new Date()
  await em.nativeUpdate(
    WebhookEndpoint,
    { id, accountId, isActive: false },
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
  /** How long the secret that is replaced signs too; 0 ends earlier overlaps as well. */
  overlapSeconds: number
  /** How many replaced secrets may sign at once; the oldest goes first. */
  mostPrevious: number
}

/** Gives an endpoint a new secret; the one before it signs beside it for the overlap. */
export async function rotateWebhookSecret(
  em: EntityManager,
  accountId: number,
  id: number,
  { sealedSecret, overlapSeconds, mostPrevious }: SecretRotation,
): Promise<void> {
  await em.execute(
    `update webhook_endpoint e set sealed_secret = ?, updated_at = now(), previous_secrets =
       case when i.overlap_seconds = 0 then '[]' else
         jsonb_build_array(jsonb_build_object('sealed_secret', e.sealed_secret,
           'valid_until', now() + i.overlap_seconds * interval '1 second'))
         || (select coalesce(jsonb_agg(s order by at), '[]')
             from jsonb_array_elements(e.previous_secrets) with ordinality p (s, at)
             where (s->>'valid_until')::timestamptz > now() and at < ?::int)
       end
     from (select ?::int as overlap_seconds) i
     where id = ? and account_id = ?`,
    [sealedSecret, mostPrevious, overlapSeconds, id, accountId],
  )
}

/** Leaves an endpoint its current secret alone. */
export async function expirePreviousWebhookSecrets(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<void> {
  await em.execute(
    `update webhook_endpoint set previous_secrets = '[]', updated_at = now()
     where id = ? and account_id = ? and previous_secrets <> '[]'`,
    [id, accountId],
  )
}
