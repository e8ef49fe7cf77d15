import type { EntityManager } from '../../db/database.ts'
import {
  activateWebhookEndpoint,
  insertWebhookEndpoint,
  listWebhookEndpoints,
  updateWebhookEndpoint,
} from '../../db/webhook-endpoints.ts'
import { WEBHOOK_ENDPOINTS_MAX } from '../../domain/limits.ts'
import { deleteEndpoint } from '../../commands/webhooks/delete-endpoint.ts'
import { disableEndpoint } from '../../commands/webhooks/disable-endpoint.ts'
import { ApiError } from '../api-error.ts'
import { pageOf, unknownCursor } from '../list.ts'
import { operation } from '../operation.ts'
import { ENDPOINT_ERRORS, requireEvents, requireUrl } from './check-endpoint.ts'
import { requireEndpoint } from './require-endpoint.ts'
import {
  createWebhookEndpointBody,
  endpointIdParameter,
  listEndpointsQuery,
  updateWebhookEndpointBody,
} from './schemas.ts'
import { expirePreviousSecrets, newSecret, rotateSecret } from './secrets.ts'
import { testEndpoint } from './test-endpoint.ts'
import { listView } from '../../views/list.ts'
import {
  createdWebhookEndpointSchema,
  deletedWebhookEndpointSchema,
  webhookEndpointListSchema,
  webhookEndpointSchema,
  webhookEndpointView,
} from '../../views/webhook-endpoint.ts'

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
  expirePreviousSecrets,
  testEndpoint,
]
