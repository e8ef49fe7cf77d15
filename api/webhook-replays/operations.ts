import type { EntityManager } from '../../db/database.ts'
import { endReplay, findReplay, insertReplay, listReplays } from '../../db/webhook-replays.ts'
import type { ReplayDetails } from '../../db/webhook-replays.ts'
import { FAILED_KEPT_DAYS } from '../../domain/limits.ts'
import { appendCommands } from '../../outbox/append/append-command.ts'
import { ApiError } from '../api-error.ts'
import { listView, pageOf, unknownCursor } from '../list.ts'
import { operation } from '../operation.ts'
import { refuseViolation } from '../refuse-violation.ts'
import { requireEndpoint } from '../webhook-endpoints/require-endpoint.ts'
import {
  createReplayBody,
  listReplaysQuery,
  replayIdParameter,
  replayListSchema,
  replaySchema,
} from './schemas.ts'
import { replayView } from './view.ts'

const tag = 'Webhooks'
const params = { id: replayIdParameter }
const KEPT_MS = FAILED_KEPT_DAYS * 86_400_000

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
    const range = rangeOf(body.since, body.until)
    return commit(async (tx) => {
      const { endpoint_id: endpointId = null, status = 'failed' } = body
      if (endpointId !== null) await requireActiveEndpoint(tx, accountId, endpointId)
      const made = await onceAtATime(insertReplay(tx, { accountId, endpointId, status, ...range }))
      const subjectId = String(made.replay.id)
      await appendCommands(tx, [{ command: 'replay-webhooks', subjectId, accountId }])
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

/** As far back as there are events, and not beyond now. Throws invalid_parameter for an empty range. */
function rangeOf(asked: Date, end: Date | undefined): { since: Date; until: Date } {
  const nowMs = Date.now()
  const sinceMs = Math.max(asked.getTime(), nowMs - KEPT_MS)
  const untilMs = Math.min(end?.getTime() ?? nowMs, nowMs)
  if (sinceMs >= untilMs)
    throw new ApiError('invalid_parameter', {
      param: 'since',
      message: 'The range is empty: since must lie before until, and before now.',
    })
  return { since: new Date(sinceMs), until: new Date(untilMs) }
}

async function requireActiveEndpoint(em: EntityManager, accountId: number, id: number) {
  const { isActive } = await requireEndpoint(em, accountId, id)
  if (!isActive) throw new ApiError('webhook_endpoint_inactive')
}

async function requireReplay(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<ReplayDetails> {
  const found = await findReplay(em, accountId, id)
  if (!found) throw new ApiError('webhook_replay_not_found')
  return found
}

const onceAtATime = <T>(write: Promise<T>): Promise<T> =>
  refuseViolation(write, 'unique', () => new ApiError('webhook_replay_running'))

export const webhookReplayOperations = [create, list, get, cancel]
