import type { EntityManager } from '../../db/database.ts'
import type { WebhookEndpoint } from '../../db/entities/event.ts'
import { findWebhookEndpoint, keepWebhookEndpoint } from '../../db/webhooks/webhook-endpoints.ts'
import { markWebhookEndpointDeleted } from '../../db/webhooks/write-endpoint-settlement.ts'
import {
  activateWebhookEndpoint,
  expirePreviousWebhookSecrets,
  insertWebhookEndpoint,
  rotateWebhookSecret,
  updateWebhookEndpoint,
  type EndpointChanges,
  type NewWebhookEndpoint,
} from '../../db/webhooks/write-webhook-endpoints.ts'
import { WEBHOOK_ENDPOINTS_MAX, WEBHOOK_PREVIOUS_SECRETS_MAX } from '../../domain/limits.ts'
import { valuesBefore } from '../../domain/merge-edits.ts'
import { seal, type MasterKeys } from '../../security/sealing/sealing.ts'
import { endpointSecretContext } from '../../security/sealing/secret-contexts.ts'
import { createWebhookSecret } from '../../security/webhook-signature.ts'
import { appendEventFor } from '../events.ts'
import { Refusal } from '../refusal.ts'
import { disableEndpoint } from './disable-endpoint.ts'
import { requestSettlement } from './request-settlement.ts'

/** An endpoint with its new signing secret, which cannot be read again. */
export interface EndpointWithSecret {
  endpoint: WebhookEndpoint
  secret: string
}

/** Creates a webhook endpoint. Call it in a transaction. Refuses with `too_many_webhook_endpoints`. */
export async function createEndpoint(
  tx: EntityManager,
  masterKeys: MasterKeys,
  facts: Omit<NewWebhookEndpoint, 'sealedSecret'>,
): Promise<EndpointWithSecret> {
  const { secret, sealedSecret } = newSecret(masterKeys, facts.accountId)
  const row = { ...facts, sealedSecret }
  const endpoint = await insertWebhookEndpoint(tx, row, WEBHOOK_ENDPOINTS_MAX)
  if (!endpoint) throw new Refusal('too_many_webhook_endpoints')
  return { endpoint, secret }
}

/**
 * Changes an endpoint; `isActive` also switches it on or off. Call it in a transaction. Refuses with
 * `webhook_endpoint_not_found`; and with `stale_edit` if a field that it changes has another value by now than in
 * `from`.
 */
export async function changeEndpoint(
  tx: EntityManager,
  accountId: number,
  endpointId: number,
  { isActive, ...changes }: EndpointChanges & { isActive?: boolean | undefined },
  from: EndpointChanges = {},
): Promise<WebhookEndpoint> {
  const expected = valuesBefore(changes, from)
  if (!(await updateWebhookEndpoint(tx, accountId, endpointId, changes, expected))) {
    await requireEndpoint(tx, accountId, endpointId)
    throw new Refusal('stale_edit')
  }
  if (isActive === true) await activateWebhookEndpoint(tx, accountId, endpointId)
  if (isActive === false) await disableEndpoint(tx, { accountId, endpointId, reason: 'owner' })
  return requireEndpoint(tx, accountId, endpointId)
}

/**
 * Gives an endpoint a new signing secret; the one before it also signs for `overlapSeconds`. Call it in a
 * transaction. Refuses with `webhook_endpoint_not_found`.
 */
export async function rotateSecret(
  tx: EntityManager,
  masterKeys: MasterKeys,
  accountId: number,
  endpointId: number,
  overlapSeconds: number,
): Promise<EndpointWithSecret> {
  const { secret, sealedSecret } = newSecret(masterKeys, accountId)
  const mostPrevious = WEBHOOK_PREVIOUS_SECRETS_MAX
  const rotation = { sealedSecret, overlapSeconds, mostPrevious }
  await rotateWebhookSecret(tx, accountId, endpointId, rotation)
  return { endpoint: await requireEndpoint(tx, accountId, endpointId), secret }
}

/** Ends the overlap of a rotation: only the current secret signs. Refuses with `webhook_endpoint_not_found`. */
export async function expirePreviousSecrets(
  tx: EntityManager,
  accountId: number,
  endpointId: number,
): Promise<WebhookEndpoint> {
  await expirePreviousWebhookSecrets(tx, accountId, endpointId)
  return requireEndpoint(tx, accountId, endpointId)
}

/**
 * Records a `webhook.test` event for an endpoint, regardless of its subscriptions and even while it is off. Call it in a
 * transaction. Returns the id of the delivery. Refuses with `webhook_endpoint_not_found`.
 */
export async function testEndpoint(
  tx: EntityManager,
  accountId: number,
  endpointId: number,
): Promise<number> {
  const endpoint = await keepWebhookEndpoint(tx, accountId, endpointId)
  if (!endpoint) throw new Refusal('webhook_endpoint_not_found')
  const { deliveryId } = await appendEventFor(tx, endpointId, {
    accountId,
    type: 'webhook.test',
    data: { object: 'test', message: 'A test of this webhook endpoint.' },
  })
  return deliveryId
}

/**
 * Deletes an endpoint with its deliveries (contract, "Webhook delivery"): from this transaction on, no read finds them
 * and nothing is sent. The workflow that it requests removes the rows and the workflows of the deliveries. Call it in a
 * transaction. Refuses with `webhook_endpoint_not_found`.
 */
export async function deleteEndpoint(
  tx: EntityManager,
  accountId: number,
  endpointId: number,
): Promise<void> {
  if (!(await markWebhookEndpointDeleted(tx, { accountId, endpointId })))
    throw new Refusal('webhook_endpoint_not_found')
  await requestSettlement(tx, { accountId, endpointId })
}

function newSecret(masterKeys: MasterKeys, accountId: number) {
  const secret = createWebhookSecret()
  return { secret, sealedSecret: seal(masterKeys, secret, endpointSecretContext(accountId)) }
}

async function requireEndpoint(
  tx: EntityManager,
  accountId: number,
  id: number,
): Promise<WebhookEndpoint> {
  const endpoint = await findWebhookEndpoint(tx, accountId, id)
  if (!endpoint) throw new Refusal('webhook_endpoint_not_found')
  return endpoint
}
