import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { findWebhookEndpoint } from '../../../db/webhooks/webhook-endpoints.ts'
import { orNotFound } from '../../../http/api-error.ts'
import { rowIdParameter } from '../../../http/list.ts'
import { operation } from '../../../http/operation.ts'
import { text } from '../../../http/text.ts'
import { openEndpointSecret } from '../../../security/sealing/secret-contexts.ts'
import { webhookSecretCheckSchema } from '../../../views/webhooks/webhook-endpoint.ts'

const SECRET_MAX_LENGTH = 100

const check = operation({
  id: 'checkWebhookSecret',
  method: 'post',
  path: '/webhook-endpoints/{id}/secret-check',
  tag: 'Webhooks',
  summary: 'Tell whether a signing secret is still the current one of an endpoint',
  description: 'A page that shows a new secret asks whether another one has replaced it.',
  scope: 'webhooks:write',
  params: { id: rowIdParameter('webhook_endpoint_not_found') },
  body: z.strictObject({ secret: text({ maxLength: SECRET_MAX_LENGTH }) }),
  takesSecret: true,
  status: 200,
  response: webhookSecretCheckSchema,
  // It changes nothing.
  audit: null,
  async handle({ deps, accountId, params: { id }, body }) {
    const found = await findWebhookEndpoint(deps.db.em.fork(), accountId, id)
    const endpoint = orNotFound(found, 'webhook_endpoint_not_found')
    const current = Buffer.from(openEndpointSecret(deps.masterKeys, endpoint))
    const asked = Buffer.from(body.secret)
    const isCurrent = asked.length === current.length && timingSafeEqual(asked, current)
    return { object: 'webhook_secret_check' as const, is_current: isCurrent }
  },
})

export const webhookSecretOperations = [check]
