import type { EntityManager } from '../../db/database.ts'
import { requestWorkflows } from '../../db/outbox/write-workflow-requests.ts'
import { countReplay, type ReplayCounts } from '../../db/webhooks/replayed-events.ts'
import { findWebhookEndpoint } from '../../db/webhooks/webhook-endpoints.ts'
import { findReplay, type ReplayDetails } from '../../db/webhooks/webhook-replays.ts'
import { endReplay, insertReplay, type NewReplay } from '../../db/webhooks/write-webhook-replays.ts'
import { FAILED_KEPT_DAYS } from '../../domain/limits.ts'
import type { ReplayStatus } from '../../domain/webhooks/webhook-delivery.ts'
import { Refusal, refuseViolation } from '../refusal.ts'

export interface ReplayRequest {
  accountId: number
  /** Every active endpoint by default. */
  endpointId?: number | undefined
  since: Date
  /** Now by default. */
  until?: Date | undefined
  /** `failed` by default. */
  status?: ReplayStatus | undefined
}

const KEPT_MS = FAILED_KEPT_DAYS * 86_400_000

/**
 * Starts a replay of the events of a range: writes its row and requests its workflow. The range is limited to
 * the kept events (90 days) and to the present. Call it in a transaction. Refuses with `invalid_parameter` for an
 * empty range, `webhook_endpoint_not_found`, `webhook_endpoint_inactive` and `webhook_replay_running`.
 */
export async function requestReplay(
  em: EntityManager,
  request: ReplayRequest,
): Promise<ReplayDetails> {
  const row = await checkRequest(em, request)
  const made = await refuseViolation(insertReplay(em, row), 'unique', 'webhook_replay_running')
  const subjectId = String(made.replay.id)
  const { accountId } = request
  await requestWorkflows(em, [{ command: 'replay-webhooks', subjectId, accountId }])
  return made
}

/**
 * Counts what a replay would send now of the first events of its range, at most 50,000 for one endpoint and 2,500 for 20. The
 * range is limited as by `requestReplay`. Refuses what that refuses, except `webhook_replay_running`.
 */
export async function previewReplay(
  em: EntityManager,
  request: ReplayRequest,
): Promise<{ replay: NewReplay; counts: ReplayCounts }> {
  const replay = await checkRequest(em, request)
  return { replay, counts: await countReplay(em, replay) }
}

async function checkRequest(
  em: EntityManager,
  { accountId, endpointId, since, until, status = 'failed' }: ReplayRequest,
): Promise<NewReplay> {
  const range = limitRange(since, until)
  if (endpointId !== undefined) {
    const endpoint = await findWebhookEndpoint(em, accountId, endpointId)
    if (!endpoint) throw new Refusal('webhook_endpoint_not_found')
    if (!endpoint.isActive) throw new Refusal('webhook_endpoint_inactive')
  }
  return { accountId, endpointId: endpointId ?? null, ...range, status }
}

/**
 * Cancels a replay that is running; one that has ended stays as it is. Its deliveries continue. Call it in a
 * transaction. Refuses with `webhook_replay_not_found`.
 */
export async function cancelReplay(
  tx: EntityManager,
  accountId: number,
  id: number,
): Promise<ReplayDetails> {
  const { replay } = await requireReplay(tx, accountId, id)
  await endReplay(tx, replay.id, 'cancelled')
  tx.clear()
  return requireReplay(tx, accountId, id)
}

/** Ends a replay whose workflow was cancelled. Leaves one that has ended unchanged; the deliveries that it has created continue. */
export const endCancelledReplay = (em: EntityManager, id: number): Promise<void> =>
  endReplay(em, id, 'cancelled')

/** The part of a range that lies in the retention period and in the past. Refuses if it is empty. */
function limitRange(since: Date, until?: Date): { since: Date; until: Date } {
  const nowMs = Date.now()
  const sinceMs = Math.max(since.getTime(), nowMs - KEPT_MS)
  const untilMs = Math.min(until?.getTime() ?? nowMs, nowMs)
  if (sinceMs >= untilMs)
    throw new Refusal('invalid_parameter', {
      field: 'since',
      message: 'The range is empty: since must be before until, and before now.',
    })
  return { since: new Date(sinceMs), until: new Date(untilMs) }
}

async function requireReplay(
  tx: EntityManager,
  accountId: number,
  id: number,
): Promise<ReplayDetails> {
  const found = await findReplay(tx, accountId, id)
  if (!found) throw new Refusal('webhook_replay_not_found')
  return found
}
