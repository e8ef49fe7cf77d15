import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
} from '../../commands/webhooks/endpoints.ts'
import type { EntityManager } from '../../db/database.ts'
import { lockVersion } from '../../db/versions.ts'
import { findWebhookEndpoint, listWebhookEndpoints } from '../../db/webhooks/webhook-endpoints.ts'
import type { ErrorCode } from '../../domain/error-codes.ts'
import {
  isSubscribable,
  SUBSCRIBABLE_EVENT_TYPES,
  type SubscribableEventType,
} from '../../domain/webhooks/events.ts'
import { checkWebhookUrl } from '../../egress/check-webhook-url.ts'
import { ApiError, orNotFound } from '../../http/api-error.ts'
import type { OperationDeps } from '../../http/deps.ts'
import { toPage } from '../../http/list.ts'
import { operation } from '../../http/operation.ts'
import { listView } from '../../views/list.ts'
import {
  createdWebhookEndpointSchema,
  createdWebhookEndpointView,
  deletedWebhookEndpointSchema,
  webhookEndpointListSchema,
  webhookEndpointSchema,
  webhookEndpointView,
} from '../../views/webhooks/webhook-endpoint.ts'
import { inTurn } from '../link-checks.ts'
import { taggedEndpoint, webhookEndpointActions } from './actions.ts'
import {
  createWebhookEndpointBody,
  endpointIdParameter,
  listEndpointsQuery,
  updateWebhookEndpointBody,
} from './schemas.ts'

const tag = 'Webhooks'
const params = { id: endpointIdParameter }

/** The fields of an endpoint that the audit log shows. */
export const ENDPOINT_FIELDS = ['url', 'events', 'description', 'is_active']

/** Reads an endpoint for the audit log. */
export async function readEndpoint(tx: EntityManager, accountId: number, { id }: { id: number }) {
  const endpoint = await findWebhookEndpoint(tx, accountId, id)
  return endpoint && webhookEndpointView(endpoint)
}

const versioned = {
  lock: (tx: EntityManager, accountId: number, { id }: { id: number }) =>
    lockVersion(tx, 'webhook_endpoint', accountId, id),
}

/** The errors of `requireEvents` and `requireUrl`. */
export const ENDPOINT_ERRORS: ErrorCode[] = [
  'invalid_webhook_url',
  'webhook_url_not_allowed',
  'webhook_url_unreachable',
  'unknown_event_type',
]

const create = operation({
  id: 'createWebhookEndpoint',
  method: 'post',
  path: '/v1/webhook-endpoints',
  tag,
  summary: 'Create a webhook endpoint',
  description: 'Only this response contains the signing secret.',
  scope: 'webhooks:write',
  body: createWebhookEndpointBody,
  status: 201,
  response: createdWebhookEndpointSchema,
  audit: { action: 'webhook_endpoint.create', fields: ENDPOINT_FIELDS },
  errors: [...ENDPOINT_ERRORS, 'too_many_webhook_endpoints'],
  hasEtag: true,
  async handle({ deps, accountId, body, commit, withEtag }) {
    const { url, events: asked, description } = body
    const events = requireEvents(asked)
    await requireUrl(deps, accountId, url)
    const facts = { accountId, url, events, description }
    return commit(async (tx) => {
      const created = await createEndpoint(tx, deps.masterKeys, facts)
      taggedEndpoint(withEtag, created.endpoint)
      return createdWebhookEndpointView(created)
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
  response: webhookEndpointListSchema,
  async handle({ deps, accountId, query }) {
    const page = await listWebhookEndpoints(deps.db.em.fork(), accountId, toPage(query))
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
  response: webhookEndpointSchema,
  hasEtag: true,
  async handle({ deps, accountId, params: { id }, withEtag }) {
    const endpoint = await findWebhookEndpoint(deps.db.em.fork(), accountId, id)
    return taggedEndpoint(withEtag, orNotFound(endpoint, 'webhook_endpoint_not_found'))
  },
})

const update = operation({
  id: 'updateWebhookEndpoint',
  method: 'patch',
  path: '/v1/webhook-endpoints/{id}',
  tag,
  summary: 'Change, pause or resume a webhook endpoint',
  description:
    'Future attempts go to the new URL. A paused endpoint receives only webhook.test; a replay of failed or missing events catches up.',
  scope: 'webhooks:write',
  params,
  body: updateWebhookEndpointBody,
  status: 200,
  response: webhookEndpointSchema,
  audit: { action: 'webhook_endpoint.update', fields: ENDPOINT_FIELDS, before: readEndpoint },
  errors: ENDPOINT_ERRORS,
  hasEtag: true,
  versioned,
  async handle({ deps, accountId, params: { id }, body, commit, withEtag }) {
    const { url, description, is_active: isActive } = body
    const events = body.events && requireEvents(body.events)
    const found = await findWebhookEndpoint(deps.db.em.fork(), accountId, id)
    const present = orNotFound(found, 'webhook_endpoint_not_found')
    if (url !== undefined && url !== present.url) await requireUrl(deps, accountId, url)
    const changes = { url, description, events, isActive }
    return commit(async (tx) =>
      taggedEndpoint(withEtag, await changeEndpoint(tx, accountId, id, changes)),
    )
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
  response: deletedWebhookEndpointSchema,
  audit: { action: 'webhook_endpoint.delete', fields: ENDPOINT_FIELDS, before: readEndpoint },
  versioned,
  handle({ accountId, params: { id }, commit }) {
    return commit(async (tx) => {
      await deleteEndpoint(tx, accountId, id)
      return { id, object: 'webhook_endpoint', deleted: true }
    })
  },
})

/** Returns each type once. Throws `unknown_event_type` for one that endpoints cannot subscribe to. */
export function requireEvents(types: string[]): SubscribableEventType[] {
  const unknown = types.find((type) => !isSubscribable(type))
  if (unknown !== undefined)
    throw new ApiError('unknown_event_type', {
      param: 'events',
      message: `An endpoint can subscribe only to ${SUBSCRIBABLE_EVENT_TYPES.join(', ')}.`,
    })
  return [...new Set(types.filter(isSubscribable))]
}

/** Checks the form of a webhook URL and the addresses of its host. Throws an ApiError. */
export const requireUrl = (deps: OperationDeps, accountId: number, url: string): Promise<void> =>
  inTurn(accountId, 'url', () => checkWebhookUrl(deps.egress, url, accountId))

export const webhookEndpointOperations = [
  create,
  list,
  get,
  update,
  remove,
  ...webhookEndpointActions,
]
