import type { EntityManager } from '../../db/database.ts'
import { endReplay, findReplay, listReplays } from '../../db/webhook-replays.ts'
import type { ReplayDetails } from '../../db/webhook-replays.ts'
import { requestReplay } from '../../commands/webhooks/request-replay.ts'
import { ApiError } from '../api-error.ts'
import { pageOf, unknownCursor } from '../list.ts'
import { operation } from '../operation.ts'
import { createReplayBody, listReplaysQuery, replayIdParameter } from './schemas.ts'
import { listView } from '../../views/list.ts'
import { replayListSchema, replaySchema, replayView } from '../../views/webhook-replay.ts'

const tag = 'Webhooks'
const params = { id: replayIdParameter }

const create = operation({
  id: 'createWebhookReplay',
  method: 'post',
  path: '/v1/webhook-replays',
  tag,
  summary: 'Send the events of a range again',
  description:
    'Each as a new delivery of the same event, at a pace that leaves room for others; nothing is sent twice by two replays of what is failed or missing. One replay of an account runs at a time.',
  scope: 'webhooks:write',
  body: createReplayBody,
  status: 202,
  answer: replaySchema,
  errors: ['webhook_endpoint_not_found', 'webhook_endpoint_inactive', 'webhook_replay_running'],
  handle({ accountId, body, commit }) {
    const { endpoint_id: endpointId, since, until, status } = body
    return commit(async (tx) => {
      const made = await requestReplay(tx, { accountId, endpointId, since, until, status })
      if (made === 'empty_range')
        throw new ApiError('invalid_parameter', {
          param: 'since',
          message: 'The range is empty: since must lie before until, and before now.',
        })
      if (typeof made === 'string') throw new ApiError(made)
      return replayView(made)
    })
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
  answer: replayListSchema,
  async handle({ deps, accountId, query }) {
    const page = await listReplays(deps.db.em.fork(), accountId, pageOf(query))
    if (!page) throw unknownCursor(query, 'webhook replay')
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
  answer: replaySchema,
  async handle({ deps, accountId, params: { id } }) {
    return replayView(await requireReplay(deps.db.em.fork(), accountId, id))
  },
})

const cancel = operation({
  id: 'cancelWebhookReplay',
  method: 'post',
  path: '/v1/webhook-replays/{id}/cancel',
  tag,
  summary: 'Cancel a webhook replay',
  description: 'It makes no more deliveries; those that it made go on. One that has ended stays.',
  scope: 'webhooks:write',
  params,
  status: 200,
  answer: replaySchema,
  handle({ accountId, params: { id }, commit }) {
    return commit(async (tx) => {
      const { replay } = await requireReplay(tx, accountId, id)
      await endReplay(tx, replay.id, 'cancelled')
      tx.clear()
      return replayView(await requireReplay(tx, accountId, id))
    })
  },
})

async function requireReplay(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<ReplayDetails> {
  const found = await findReplay(em, accountId, id)
  if (!found) throw new ApiError('webhook_replay_not_found')
  return found
}

export const webhookReplayOperations = [create, list, get, cancel]
