import { insertWebhookEndpoint } from '../../db/webhook-endpoints.ts'
import { SUBSCRIBABLE_EVENT_TYPES, isSubscribable } from '../../domain/events.ts'
import type { SubscribableEventType } from '../../domain/events.ts'
import { WEBHOOK_ENDPOINTS_MAX } from '../../domain/limits.ts'
import { checkWebhookUrl } from '../../egress/check-webhook-url.ts'
import { seal } from '../../security/sealing.ts'
import { endpointSecretContext } from '../../security/secret-contexts.ts'
import { createWebhookSecret } from '../../security/webhook-signature.ts'
import { ApiError } from '../api-error.ts'
import { operation } from '../operation.ts'
import { refuseLink } from '../refuse-link.ts'
import { createWebhookEndpointBody, createdWebhookEndpointSchema } from './schemas.ts'
import { webhookEndpointView } from './view.ts'

const create = operation({
  id: 'createWebhookEndpoint',
  method: 'post',
  path: '/v1/webhook-endpoints',
  tag: 'Webhooks',
  summary: 'Create a webhook endpoint',
  description: 'The signing secret is in this answer and in no other.',
  scope: 'webhooks:write',
  body: createWebhookEndpointBody,
  status: 201,
  answer: createdWebhookEndpointSchema,
  errors: [
    'invalid_webhook_url',
    'webhook_url_not_allowed',
    'webhook_url_unreachable',
    'unknown_event_type',
    'too_many_webhook_endpoints',
  ],
  async handle({ deps, accountId, body: { url, events: asked }, commit }) {
    const events = requireEvents(asked)
    await refuseLink(checkWebhookUrl(deps.egress, url), 'url')
    const secret = createWebhookSecret()
    const sealedSecret = seal(deps.masterKeys, secret, endpointSecretContext(accountId))
    return commit(async (tx) => {
      const endpoint = { accountId, url, events, sealedSecret }
      const row = await insertWebhookEndpoint(tx, endpoint, WEBHOOK_ENDPOINTS_MAX)
      if (!row) throw new ApiError('too_many_webhook_endpoints')
      return { ...webhookEndpointView(row), secret }
    })
  },
})

function requireEvents(types: string[]): SubscribableEventType[] {
  const unknown = types.find((type) => !isSubscribable(type))
  if (unknown !== undefined)
    throw new ApiError('unknown_event_type', {
      param: 'events',
      message: `There is no such event type to subscribe to; there are ${SUBSCRIBABLE_EVENT_TYPES.join(', ')}.`,
    })
  return [...new Set(types.filter(isSubscribable))]
}

export const webhookEndpointOperations = [create]
