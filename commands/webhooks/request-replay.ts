import type { EntityManager } from '../../db/database.ts'
import { isViolation } from '../../db/violations.ts'
import { findWebhookEndpoint } from '../../db/webhook-endpoints.ts'
import { insertReplay } from '../../db/webhook-replays.ts'
import type { ReplayDetails } from '../../db/webhook-replays.ts'
import { FAILED_KEPT_DAYS } from '../../domain/limits.ts'
import type { ReplayStatus } from '../../domain/webhook-replay.ts'
import { requestWorkflows } from '../../db/workflow-requests.ts'

export interface ReplayRequest {
  accountId: number
  /** Undefined: every active endpoint. */
  endpointId?: number | undefined
  since: Date
  /** Now by default. */
  until?: Date | undefined
  /** `failed` by default. */
  status?: ReplayStatus | undefined
}

export type ReplayRefusal =
  | 'empty_range'
  | 'webhook_endpoint_not_found'
  | 'webhook_endpoint_inactive'
  | 'webhook_replay_running'

const KEPT_MS = FAILED_KEPT_DAYS * 86_400_000

/**
 * Begins a replay of the events of a range: its row and the command to run it. The range is cut to
 * what is kept (90 days) and to now. Call it in a transaction, which a refusal leaves unusable.
 */
export async function requestReplay(
  em: EntityManager,
  { accountId, endpointId, since, until, status = 'failed' }: ReplayRequest,
): Promise<ReplayDetails | ReplayRefusal> {
  const nowMs = Date.now()
  const sinceMs = Math.max(since.getTime(), nowMs - KEPT_MS)
  const untilMs = Math.min(until?.getTime() ?? nowMs, nowMs)
  if (sinceMs >= untilMs) return 'empty_range'
  if (endpointId !== undefined) {
    const endpoint = await findWebhookEndpoint(em, accountId, endpointId)
    if (!endpoint) return 'webhook_endpoint_not_found'
    if (!endpoint.isActive) return 'webhook_endpoint_inactive'
  }
  const range = { since: new Date(sinceMs), until: new Date(untilMs) }
  try {
    const made = await insertReplay(em, {
      ...{ accountId, endpointId: endpointId ?? null, status },
      ...range,
    })
    const subjectId = String(made.replay.id)
    await requestWorkflows(em, [{ command: 'replay-webhooks', subjectId, accountId }])
    return made
  } catch (error) {
    if (isViolation(error, 'unique')) return 'webhook_replay_running'
    throw error
  }
}
