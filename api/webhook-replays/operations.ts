import { z } from 'zod'
import { cancelReplay, requestReplay } from '../../commands/webhooks/replays.ts'
import { findReplay, listReplays } from '../../db/webhooks/webhook-replays.ts'
import { orNotFound } from '../../http/api-error.ts'
import { listQuery, rowIdInQuery, rowIdParameter, toPage } from '../../http/list.ts'
import { operation } from '../../http/operation.ts'
import { instant } from '../../http/text.ts'
import { listView } from '../../views/list.ts'
import { rowId } from '../../views/values.ts'
import {
  replayListSchema,
  replaySchema,
  replayStatus,
  replayView,
} from '../../views/webhooks/webhook-replay.ts'

/** Body of POST /v1/webhook-replays. */
const createReplayBody = z.strictObject({
  since: instant('Events at or after this time; at most 90 days ago.'),
  until: instant('Events before this time. Defaults to now.').optional(),
  endpoint_id: rowId.optional().meta({ description: 'Every active endpoint by default.' }),
  status: replayStatus.optional().meta({ default: 'failed' }),
})

const replayIdParameter = rowIdParameter('webhook_replay_not_found')
const listReplaysQuery = listQuery(rowIdInQuery, {})

const tag = 'Webhooks'
const params = { id: replayIdParameter }

const create = operation({
  id: 'createWebhookReplay',
  method: 'post',
  path: '/v1/webhook-replays',
  tag,
  summary: 'Send the events of a time range again',
  description:
    'Each event becomes a new delivery, at a pace that does not delay other deliveries. Two replays of failed or missing events never send an event twice. An account has one running replay at a time.',
  scope: 'webhooks:write',
  body: createReplayBody,
  status: 202,
  response: replaySchema,
  audit: {
    action: 'webhook_replay.create',
    fields: ['endpoint_id', 'since', 'until', 'status', 'event_count'],
  },
  errors: ['webhook_endpoint_not_found', 'webhook_endpoint_inactive', 'webhook_replay_running'],
  handle({ accountId, body, commit }) {
    const { endpoint_id: endpointId, since, until, status } = body
    return commit(async (tx) =>
      replayView(await requestReplay(tx, { accountId, endpointId, since, until, status })),
    )
  },
})

const list = operation({
  id: 'listWebhookReplays',
  method: 'get',
  path: '/v1/webhook-replays',
  tag,
  summary: 'List webhook replays, newest first',
  scope: 'webhooks:read',
  query: listReplaysQuery,
  status: 200,
  response: replayListSchema,
  async handle({ deps, accountId, query }) {
    const page = await listReplays(deps.db.em.fork(), accountId, toPage(query))
    return listView(page, replayView, '/v1/webhook-replays')
  },
})

const get = operation({
  id: 'getWebhookReplay',
  method: 'get',
  path: '/v1/webhook-replays/{id}',
  tag,
  summary: 'Get a webhook replay with its progress',
  scope: 'webhooks:read',
  params,
  status: 200,
  response: replaySchema,
  async handle({ deps, accountId, params: { id } }) {
    const replay = await findReplay(deps.db.em.fork(), accountId, id)
    return replayView(orNotFound(replay, 'webhook_replay_not_found'))
  },
})

const cancel = operation({
  id: 'cancelWebhookReplay',
  method: 'post',
  path: '/v1/webhook-replays/{id}/cancel',
  tag,
  summary: 'Cancel a webhook replay',
  description:
    'Stops new deliveries; those that exist continue. A replay that has ended does not change.',
  scope: 'webhooks:write',
  params,
  status: 200,
  response: replaySchema,
  audit: { action: 'webhook_replay.cancel', fields: ['state'] },
  handle({ accountId, params: { id }, commit }) {
    return commit(async (tx) => replayView(await cancelReplay(tx, accountId, id)))
  },
})

export const webhookReplayOperations = [create, list, get, cancel]
