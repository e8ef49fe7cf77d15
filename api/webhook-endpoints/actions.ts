import {
  expirePreviousSecrets,
  rotateSecret,
  testEndpoint,
} from '../../commands/webhooks/endpoints.ts'
import type { WebhookEndpoint } from '../../db/entities/event.ts'
import { findDelivery } from '../../db/webhooks/webhook-deliveries.ts'
import { orNotFound } from '../../http/api-error.ts'
import { operation, type WithEtag } from '../../http/operation.ts'
import { deliverySchema, deliveryView } from '../../views/webhooks/webhook-delivery.ts'
import {
  createdWebhookEndpointSchema,
  createdWebhookEndpointView,
  webhookEndpointSchema,
  webhookEndpointView,
} from '../../views/webhooks/webhook-endpoint.ts'
import { endpointIdParameter, rotateSecretBody } from './schemas.ts'

const tag = 'Webhooks'
const params = { id: endpointIdParameter }

/** The endpoint as a GET returns it, with its ETag. */
export const taggedEndpoint = (withEtag: WithEtag, endpoint: WebhookEndpoint) =>
  withEtag(endpoint.version, webhookEndpointView(endpoint))

const rotate = operation({
  id: 'rotateWebhookSecret',
  method: 'post',
  path: '/v1/webhook-endpoints/{id}/rotate-secret',
  tag,
  summary: 'Give a webhook endpoint a new signing secret',
  description: [
    'Only this response contains the new secret.',
    'By default it replaces the old secret immediately: `Service-Signature` contains one `v1`, made with the new secret. Deliveries that the receiver refuses until it has the new secret are retried on the usual schedule, signed with the new secret.',
    'With `overlap_seconds` the old secret also signs for that time: `Service-Signature` then contains one `v1` for each secret (`t=…,v1=<new>,v1=<old>`), and `webhook-signature` one entry for each. Use it only if your receiver accepts a delivery when any of several signatures matches; `reelgate verify-receiver` checks that.',
  ].join('\n\n'),
  scope: 'webhooks:write',
  params,
  body: rotateSecretBody,
  status: 200,
  response: createdWebhookEndpointSchema,
  audit: { action: 'webhook_endpoint.rotate_secret', fields: ['previous_secret_expires_at'] },
  hasEtag: true,
  handle({ deps, accountId, params: { id }, body, commit, withEtag }) {
    const { overlap_seconds: seconds = 0 } = body
    return commit(async (tx) => {
      const rotated = await rotateSecret(tx, deps.masterKeys, accountId, id, seconds)
      taggedEndpoint(withEtag, rotated.endpoint)
      return createdWebhookEndpointView(rotated)
    })
  },
})

const expire = operation({
  id: 'expirePreviousWebhookSecrets',
  method: 'post',
  path: '/v1/webhook-endpoints/{id}/expire-previous-secrets',
  tag,
  summary: 'End the overlap of a secret rotation now',
  description:
    'From the next attempt on, deliveries have one signature, made with the current secret. Does nothing if no previous secret is valid.',
  scope: 'webhooks:write',
  params,
  status: 200,
  response: webhookEndpointSchema,
  audit: { action: 'webhook_endpoint.expire_secrets', fields: [] },
  hasEtag: true,
  handle({ accountId, params: { id }, commit, withEtag }) {
    return commit(async (tx) =>
      taggedEndpoint(withEtag, await expirePreviousSecrets(tx, accountId, id)),
    )
  },
})

const test = operation({
  id: 'testWebhookEndpoint',
  method: 'post',
  path: '/v1/webhook-endpoints/{id}/test',
  tag,
  summary: 'Send webhook.test to a webhook endpoint',
  description:
    'Regardless of the subscriptions of the endpoint, and even while it is off. The response is the delivery; get it again to see the result.',
  scope: 'webhooks:write',
  params,
  status: 202,
  response: deliverySchema,
  audit: { action: 'webhook_endpoint.test', fields: ['id'] },
  handle({ accountId, params: { id }, commit }) {
    return commit(async (tx) => {
      const deliveryId = await testEndpoint(tx, accountId, id)
      const delivery = await findDelivery(tx, accountId, deliveryId)
      return deliveryView(orNotFound(delivery, 'webhook_delivery_not_found'))
    })
  },
})

export const webhookEndpointActions = [rotate, expire, test]
