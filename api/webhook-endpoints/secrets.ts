import { expirePreviousWebhookSecrets, rotateWebhookSecret } from '../../db/webhook-endpoints.ts'
import { WEBHOOK_PREVIOUS_SECRETS_MAX } from '../../domain/limits.ts'
import { seal } from '../../security/sealing.ts'
import { endpointSecretContext } from '../../security/secret-contexts.ts'
import { createWebhookSecret } from '../../security/webhook-signature.ts'
import type { ApiDeps } from '../deps.ts'
import { operation } from '../operation.ts'
import { requireEndpoint } from './require-endpoint.ts'
import { endpointIdParameter, rotateSecretBody } from './schemas.ts'
import {
  createdWebhookEndpointSchema,
  webhookEndpointSchema,
  webhookEndpointView,
} from '../../views/webhook-endpoint.ts'

const params = { id: endpointIdParameter }

/** A new signing secret, and the form in which it is stored. */
export function newSecret({ masterKeys }: ApiDeps, accountId: number) {
  const secret = createWebhookSecret()
  return { secret, sealedSecret: seal(masterKeys, secret, endpointSecretContext(accountId)) }
}

/** POST /v1/webhook-endpoints/{id}/rotate-secret. */
export const rotateSecret = operation({
  id: 'rotateWebhookSecret',
  method: 'post',
  path: '/v1/webhook-endpoints/{id}/rotate-secret',
  tag: 'Webhooks',
  summary: 'Give a webhook endpoint a new signing secret',
  description: [
    'The new secret is in this answer and in no other.',
    'By default it replaces the old one at once: `Service-Signature` carries one `v1`, by the new secret. What the receiver refuses until it has the new secret is retried on the usual schedule, signed with the new secret.',
    'With `overlap_seconds` the old secret signs too for that long: `Service-Signature` then carries one `v1` for each secret (`t=…,v1=<new>,v1=<old>`), and `webhook-signature` one entry for each. Ask for it only if your receiver accepts a delivery when any of several signatures matches; `reelgate verify-receiver` tells whether it does.',
  ].join('\n\n'),
  scope: 'webhooks:write',
  params,
  body: rotateSecretBody,
  status: 200,
  answer: createdWebhookEndpointSchema,
  handle({ deps, accountId, params: { id }, body, commit }) {
    const { secret, sealedSecret } = newSecret(deps, accountId)
    return commit(async (tx) => {
      await rotateWebhookSecret(tx, accountId, id, {
        sealedSecret,
        overlapSeconds: body.overlap_seconds ?? 0,
        mostPrevious: WEBHOOK_PREVIOUS_SECRETS_MAX,
      })
      return { ...webhookEndpointView(await requireEndpoint(tx, accountId, id)), secret }
    })
  },
})

/** POST /v1/webhook-endpoints/{id}/expire-previous-secrets. */
export const expirePreviousSecrets = operation({
  id: 'expirePreviousWebhookSecrets',
  method: 'post',
  path: '/v1/webhook-endpoints/{id}/expire-previous-secrets',
  tag: 'Webhooks',
  summary: 'End the overlap of a secret rotation now',
  description:
    'From the next attempt on, deliveries carry one signature, by the current secret. Does nothing if no previous secret is valid.',
  scope: 'webhooks:write',
  params,
  status: 200,
  answer: webhookEndpointSchema,
  handle({ accountId, params: { id }, commit }) {
    return commit(async (tx) => {
      await expirePreviousWebhookSecrets(tx, accountId, id)
      return webhookEndpointView(await requireEndpoint(tx, accountId, id))
    })
  },
})
