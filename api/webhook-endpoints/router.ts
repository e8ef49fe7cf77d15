import { Router } from 'express'
import { insertWebhookEndpoint } from '../../db/webhook-endpoints.ts'
import { SUBSCRIBABLE_EVENT_TYPES, isSubscribable } from '../../domain/events.ts'
import type { SubscribableEventType } from '../../domain/events.ts'
import { WEBHOOK_ENDPOINTS_MAX } from '../../domain/limits.ts'
import { WebhookUrlError, checkWebhookUrl } from '../../egress/check-webhook-url.ts'
import { seal } from '../../security/sealing.ts'
import { endpointSecretContext } from '../../security/secret-contexts.ts'
import { createWebhookSecret } from '../../security/webhook-signature.ts'
import { ApiError } from '../api-error.ts'
import type { ApiDeps } from '../deps.ts'
import { accountIdOf, requireScope } from '../middleware/authenticate.ts'
import { answerOnce } from '../middleware/idempotency.ts'
import { allowOnly } from '../middleware/methods.ts'
import { parse } from '../middleware/validate.ts'
import { createWebhookEndpointBody } from './schemas.ts'
import { webhookEndpointView } from './view.ts'

/** /v1/webhook-endpoints: create; the secret is in this one answer and in no other. */
export function webhookEndpointsRouter(deps: ApiDeps): Router {
  const router = Router({ caseSensitive: true })
  router
    .route('/')
    .post(requireScope(deps, 'webhooks:write'), async (request, response) => {
      const body = parse(createWebhookEndpointBody, request.body)
      const events = requireEvents(body.events)
      const accountId = accountIdOf(response)
      response.set('Cache-Control', 'private, no-store')
      await answerOnce(deps, request, response, async (commit) => {
        await requireUrl(deps, body.url)
        const secret = createWebhookSecret()
        const sealedSecret = seal(deps.masterKeys, secret, endpointSecretContext(accountId))
        const endpoint = { accountId, url: body.url, events, sealedSecret }
        return commit(async (tx) => {
          const row = await insertWebhookEndpoint(tx, endpoint, WEBHOOK_ENDPOINTS_MAX)
          if (!row) throw new ApiError('too_many_webhook_endpoints')
          return { status: 201, body: { ...webhookEndpointView(row), secret } }
        })
      })
    })
    .all(allowOnly('POST'))
  return router
}

function requireEvents(types: string[]): SubscribableEventType[] {
  const unknown = types.find((type) => !isSubscribable(type))
  if (unknown !== undefined)
    throw new ApiError('unknown_event_type', {
      param: 'events',
      message: `There is no such event type to subscribe to; there are ${SUBSCRIBABLE_EVENT_TYPES.join(', ')}.`,
    })
  return [...new Set(types.filter(isSubscribable))]
}

async function requireUrl({ egress }: ApiDeps, url: string): Promise<void> {
  try {
    await checkWebhookUrl(egress, url)
  } catch (error) {
    if (!(error instanceof WebhookUrlError)) throw error
    throw new ApiError(error.code, { param: 'url', message: error.message })
  }
}
