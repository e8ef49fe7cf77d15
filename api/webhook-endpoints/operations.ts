import type { EntityManager } from '../../db/database.ts'
import {
  activateWebhookEndpoint,
  insertWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from '../../db/webhook-endpoints.ts'
import {
  WEBHOOK_ENDPOINTS_MAX,
  WEBHOOK_PREVIOUS_SECRETS_MAX,
  WEBHOOK_SECRET_OVERLAP_MS,
} from '../../domain/limits.ts'
import { deleteEndpoint } from '../../outbox/append/delete-endpoint.ts'
import { disableEndpoint } from '../../outbox/append/disable-endpoint.ts'
import { seal } from '../../security/sealing.ts'
import { endpointSecretContext } from '../../security/secret-contexts.ts'
import { createWebhookSecret } from '../../security/webhook-signature.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { ApiError } from '../api-error.ts'
import type { ApiDeps } from '../deps.ts'
import { listView, pageOf, unknownCursor } from '../list.ts'
import { operation } from '../operation.ts'
import { ENDPOINT_ERRORS, requireEvents, requireUrl } from './check-endpoint.ts'
import { requireEndpoint } from './require-endpoint.ts'
import {
  createWebhookEndpointBody,
  createdWebhookEndpointSchema,
  deletedWebhookEndpointSchema,
  endpointIdParameter,
  listEndpointsQuery,
  rotatedWebhookEndpointSchema,
  updateWebhookEndpointBody,
  webhookEndpointListSchema,
  webhookEndpointSchema,
} from './schemas.ts'
import { testEndpoint } from './test-endpoint.ts'
import { webhookEndpointView } from './view.ts'

const tag = 'Webhooks'
const params = { id: endpointIdParameter }

const create = operation({
  id: 'createWebhookEndpoint',
  method: 'post',
  path: '/v1/webhook-endpoints',
  tag,
  summary: 'Create a webhook endpoint',
  description: 'The signing secret is in this answer and in no other.',
  scope: 'webhooks:write',
  body: createWebhookEndpointBody,
  status: 201,
  answer: createdWebhookEndpointSchema,
  errors: [...ENDPOINT_ERRORS, 'too_many_webhook_endpoints'],
  async handle({ deps, accountId, body: { url, events: asked, description }, commit }) {
    const events = requireEvents(asked)
    await requireUrl(deps, url)
    const { secret, sealedSecret } = newSecret(deps, accountId)
    return commit(async (tx) => {
      const endpoint = { accountId, url, events, description, sealedSecret }
      const row = await insertWebhookEndpoint(tx, endpoint, WEBHOOK_ENDPOINTS_MAX)
      if (!row) throw new ApiError('too_many_webhook_endpoints')
      return { ...webhookEndpointView(row), secret }
    })
  },
})

const list = operation({
  id: 'listWebhookEndpoints',
  method: 'get',
  path: '/v1/webhook-endpoints',
  tag,
  summary: 'List webhook endpoints, newest first',
  scope: 'webhooks:read',
  query: listEndpointsQuery,
  status: 200,
  answer: webhookEndpointListSchema,
  async handle({ deps, accountId, query }) {
    const page = await listWebhookEndpoints(deps.db.em.fork(), accountId, pageOf(query))
    if (!page) throw unknownCursor(query, 'webhook endpoint')
    return listView(page, webhookEndpointView, '/v1/webhook-endpoints')
  },
})

const get = operation({
  id: 'getWebhookEndpoint',
  method: 'get',
  path: '/v1/webhook-endpoints/{id}',
  tag,
  summary: 'Get a webhook endpoint',
  scope: 'webhooks:read',
  params,
  status: 200,
  answer: webhookEndpointSchema,
  async handle({ deps, accountId, params: { id } }) {
    return webhookEndpointView(await requireEndpoint(deps.db.em.fork(), accountId, id))
  },
})

const update = operation({
  id: 'updateWebhookEndpoint',
  method: 'patch',
  path: '/v1/webhook-endpoints/{id}',
  tag,
  summary: 'Change, pause or resume a webhook endpoint',
  description:
    'Attempts that are still to come go to the new URL. While it is paused nothing is sent to it but webhook.test; a replay of what is failed or missing makes up for that.',
  scope: 'webhooks:write',
  params,
  body: updateWebhookEndpointBody,
  status: 200,
  answer: webhookEndpointSchema,
  errors: ENDPOINT_ERRORS,
  async handle({ deps, accountId, params: { id }, body, commit }) {
    const { url, description, is_active: isActive } = body
    const events = body.events && requireEvents(body.events)
    const { url: presentUrl } = await requireEndpoint(deps.db.em.fork(), accountId, id)
    if (url !== undefined && url !== presentUrl) await requireUrl(deps, url)
    return commit(async (tx) => {
      await updateWebhookEndpoint(tx, accountId, id, { url, description, events })
      await setActive(tx, accountId, id, isActive)
      return webhookEndpointView(await requireEndpoint(tx, accountId, id))
    })
  },
})

const remove = operation({
  id: 'deleteWebhookEndpoint',
  method: 'delete',
  path: '/v1/webhook-endpoints/{id}',
  tag,
  summary: 'Delete a webhook endpoint with its deliveries',
  scope: 'webhooks:write',
  params,
  status: 200,
  answer: deletedWebhookEndpointSchema,
  handle({ accountId, params: { id }, commit }) {
    return commit(async (tx) => {
      if (!(await deleteEndpoint(tx, accountId, id)))
        throw new ApiError('webhook_endpoint_not_found')
      return { id, object: 'webhook_endpoint', deleted: true }
    })
  },
})

const rotateSecret = operation({
  id: 'rotateWebhookSecret',
  method: 'post',
  path: '/v1/webhook-endpoints/{id}/rotate-secret',
  tag,
  summary: 'Give a webhook endpoint a new signing secret',
  description:
    'The new secret is in this answer and in no other. For 24 hours deliveries carry a signature by each of both.',
  scope: 'webhooks:write',
  params,
  status: 200,
  answer: rotatedWebhookEndpointSchema,
  handle({ deps, accountId, params: { id }, commit }) {
    const { secret, sealedSecret } = newSecret(deps, accountId)
    return commit(async (tx) => {
      await rotateWebhookSecret(tx, accountId, id, {
        sealedSecret,
        overlapMs: WEBHOOK_SECRET_OVERLAP_MS,
        mostPrevious: WEBHOOK_PREVIOUS_SECRETS_MAX,
      })
      const endpoint = await requireEndpoint(tx, accountId, id)
      const [previous] = endpoint.previousSecrets
      const expiresAt = isoUtc(new Date(previous?.valid_until ?? 0))
      return {
        ...webhookEndpointView(endpoint),
        secret,
        previous_secret_expires_at: expiresAt,
      }
    })
  },
})

function newSecret({ masterKeys }: ApiDeps, accountId: number) {
  const secret = createWebhookSecret()
  return { secret, sealedSecret: seal(masterKeys, secret, endpointSecretContext(accountId)) }
}

async function setActive(
  tx: EntityManager,
  accountId: number,
  endpointId: number,
  isActive: boolean | undefined,
): Promise<void> {
  if (isActive === true) await activateWebhookEndpoint(tx, accountId, endpointId)
  if (isActive === false) await disableEndpoint(tx, { accountId, endpointId, reason: 'owner' })
}

export const webhookEndpointOperations = [
  create,
  list,
  get,
  update,
  remove,
  rotateSecret,
  testEndpoint,
]
