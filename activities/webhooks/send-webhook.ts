import { SpanKind, type Span } from '@opentelemetry/api'
import { cancellationSignal } from '@temporalio/activity'
import type { Logger } from 'pino'
import { endUnsent } from '../../commands/webhooks/record-attempt.ts'
import type { Database, EntityManager } from '../../db/database.ts'
import {
  findDeliveryToSend,
  findLastResponse,
  type DeliveryToSend,
} from '../../db/webhooks/deliveries.ts'
import { WEBHOOK_DEADLINE_MS, WEBHOOK_LOOKUP_DEADLINE_MS } from '../../domain/limits.ts'
import { DELIVERY_FAILURES } from '../../domain/webhooks/delivery-failures.ts'
import type {
  AttemptOutcome,
  DeliveryErrorCode,
  SendWebhookInput,
  SendWebhookResult,
} from '../../domain/webhooks/webhook-delivery.ts'
import { EgressError, isOwnFault } from '../../egress/egress-error.ts'
import type { Egress } from '../../egress/egress.ts'
import { postWebhook, type WebhookResponse } from '../../egress/posts/webhook-request.ts'
import { networkFaults } from '../../metrics/network.ts'
import { webhookAttempts, webhookDeliveries, webhookDuration } from '../../metrics/webhooks.ts'
import { unseal, type MasterKeys } from '../../security/sealing/sealing.ts'
import { endpointSecretContext } from '../../security/sealing/secret-contexts.ts'
import { webhookHeaders } from '../../security/webhook-signature.ts'
import { failSpan, inSpan } from '../../tracing/spans.ts'
import { createEndpointTurns } from './endpoint-turns.ts'
import { createFairSlots } from './fair-slots.ts'
import { createDeliveryLog, type DeliveryLog } from './log-deliveries.ts'
import { recordWebhookAttempt } from './record-webhook-attempt.ts'
import { slotBusy } from './slot-busy.ts'

export interface SendWebhookDeps {
  db: Database
  masterKeys: MasterKeys
  egress: Egress
  logger: Pick<Logger, 'warn'>
  /** 15 s by default (contract, "Limits"). */
  webhookDeadlineMs?: number
  /** 10 s by default. */
  webhookLookupDeadlineMs?: number
  /** The most attempts in flight in this process; 400 by default. */
  attemptsInFlight?: number
  /** The most of them to one endpoint; 10 by default. */
  attemptsAtEndpoint?: number
  /** How long an attempt waits for its turn at the endpoint before it is made later; 10 s by default. */
  endpointWaitMs?: number
}

type AttemptDeps = SendWebhookDeps & { log: DeliveryLog }

const ATTEMPTS_IN_FLIGHT = 400
const ATTEMPTS_AT_ENDPOINT = 10
/** Leaves the time for a lookup and a request within the timeout of the activity. */
const ENDPOINT_WAIT_MS = 10_000
/**
 * The slots that an endpoint, and all endpoints of an account, may hold, as a fraction of the free slots. An attempt that waits
 * for its turn at the endpoint holds one.
 */
const ENDPOINT_AND_ACCOUNT_SHARES = [1 / 4, 1 / 2]

/**
 * Makes and records one attempt of a delivery. Safe to run twice: for a number that is recorded already,
 * returns its outcome and sends nothing, so that a second workflow can continue from there. If the worker is
 * killed between sending and recording, the same number is sent again: a duplicate, never a skipped or a
 * sixth attempt. At most ten attempts to an endpoint are in flight, and others wait for their turn for ten seconds
 * (ADR 0050). Throws EndpointBusy without sending while the turn does not come, too many attempts or too many DNS lookups are in
 * flight, or while the network of this installation is away; Temporal then retries after a delay.
 */
export function createSendWebhook(given: SendWebhookDeps) {
  const deps = { ...given, log: createDeliveryLog(given.logger) }
  // So that Prometheus sees the first failure of each kind.
  for (const result of Object.keys(DELIVERY_FAILURES)) webhookAttempts.inc({ result }, 0)
  const slots = createFairSlots(
    deps.attemptsInFlight ?? ATTEMPTS_IN_FLIGHT,
    ENDPOINT_AND_ACCOUNT_SHARES,
  )
  const turns = createEndpointTurns(
    deps.attemptsAtEndpoint ?? ATTEMPTS_AT_ENDPOINT,
    deps.endpointWaitMs ?? ENDPOINT_WAIT_MS,
  )
  return async function sendWebhook(input: SendWebhookInput): Promise<SendWebhookResult> {
    const delivery = await findSendable(deps, input)
    if ('outcome' in delivery) return delivery
    const { endpointId, accountId } = delivery
    const release = slots.take(endpointId, accountId)
    if (!release) throw endpointBusy()
    try {
      const turn = await turns.take(endpointId, cancellationSignal())
      if (!turn) throw endpointBusy()
      try {
        // Meanwhile it may have been cancelled, or its endpoint changed.
        const current = turn.hasWaited ? await findSendable(deps, input) : delivery
        return 'outcome' in current ? current : await sendInTurn(deps, input, current)
      } finally {
        turn.end()
      }
    } finally {
      release()
    }
  }
}

/** Returns the delivery, if the attempt is to be made, else the outcome in its place. */
async function findSendable(
  { db, log }: AttemptDeps,
  { deliveryId, number }: SendWebhookInput,
): Promise<DeliveryToSend | SendWebhookResult> {
  const em = db.em.fork()
  const delivery = await findDeliveryToSend(em, deliveryId)
  if (!delivery || delivery.status !== 'pending' || number !== delivery.attemptCount + 1)
    return withLastResponse(em, deliveryId, recordedOutcome(delivery))
  if (delivery.isActive || delivery.eventType === 'webhook.test') return delivery
  await endUnsent(em, deliveryId, 'endpoint_disabled')
  log.endedUnsent(deliveryId, delivery)
  return withLastResponse(em, deliveryId, { outcome: 'failed' })
}

async function sendInTurn(
  deps: AttemptDeps,
  input: SendWebhookInput,
  delivery: DeliveryToSend,
): Promise<SendWebhookResult> {
  try {
    const recorded = await makeAttempt(deps, input, delivery)
    if (recorded) return recorded
    const em = deps.db.em.fork()
    const outcome = recordedOutcome(await findDeliveryToSend(em, input.deliveryId))
    return await withLastResponse(em, input.deliveryId, outcome)
  } catch (error) {
    if (!(error instanceof EgressError) || !isOwnFault(error)) throw error
    networkFaults.inc({ code: error.code })
    deps.log.putOff(input.deliveryId, delivery, error)
    throw endpointBusy()
  }
}

async function makeAttempt(
  deps: AttemptDeps,
  input: SendWebhookInput,
  to: DeliveryToSend,
): Promise<SendWebhookResult | null> {
  const startedAt = new Date()
  const startedAtMs = performance.now()
  const response = await inSpan(spanOf(input, to), (span) => tracedPost(span, deps, input, to))
  const durationMs = Math.round(performance.now() - startedAtMs)
  const made = { ...input, ...response, startedAt, durationMs, trigger: triggerOf(input, to) }
  const outcome = await recordWebhookAttempt(deps.db, to, made)
  const { number: attempt, responseStatus, errorCode } = made
  countAttempt({ errorCode, durationMs, outcome: outcome?.outcome })
  if (errorCode !== null && outcome !== null)
    deps.log.attemptFailed({ ...made, outcome: outcome.outcome }, to)
  return outcome && { ...outcome, answer: { attempt, responseStatus, errorCode, durationMs } }
}

interface CountedAttempt {
  errorCode: DeliveryErrorCode | null
  durationMs: number
  /** Undefined if the attempt was recorded already, or its delivery was deleted. */
  outcome: AttemptOutcome['outcome'] | undefined
}

function countAttempt({ errorCode, durationMs, outcome }: CountedAttempt): void {
  webhookAttempts.inc({ result: errorCode ?? 'success' })
  webhookDuration.observe(durationMs / 1000)
  if (outcome === 'delivered' || outcome === 'failed') webhookDeliveries.inc({ outcome })
}

/** A requested attempt that is due anyway counts as scheduled. */
const triggerOf = ({ trigger }: SendWebhookInput, { waitMs }: DeliveryToSend) =>
  waitMs > 0 ? trigger : 'schedule'

const endpointBusy = () => slotBusy('EndpointBusy', 'No slot is free for this attempt')

/** The outcome that a delivery's row implies. */
function recordedOutcome(delivery: DeliveryToSend | null): AttemptOutcome {
  if (!delivery) return { outcome: 'gone' }
  if (delivery.status !== 'pending') return { outcome: delivery.status }
  return { outcome: 'retry', nextNumber: delivery.attemptCount + 1, waitMs: delivery.waitMs }
}

async function withLastResponse(
  em: EntityManager,
  deliveryId: number,
  outcome: AttemptOutcome,
): Promise<SendWebhookResult> {
  const response = await findLastResponse(em, deliveryId)
  return response ? { ...outcome, answer: response } : outcome
}

const spanOf = ({ deliveryId, number }: SendWebhookInput, to: DeliveryToSend) => ({
  name: 'webhook attempt',
  kind: SpanKind.CLIENT,
  attributes: {
    'http.request.method': 'POST',
    'reelgate.delivery_id': deliveryId,
    'reelgate.endpoint_id': to.endpointId,
    'reelgate.event_type': to.eventType,
    'reelgate.attempt': number,
  },
})

/** The span has no address and no response of the receiver: both may contain secrets. */
async function tracedPost(
  span: Span,
  deps: SendWebhookDeps,
  { deliveryId }: SendWebhookInput,
  to: DeliveryToSend,
): Promise<WebhookResponse> {
  const response = await post(deps, deliveryId, to)
  const { responseStatus, errorCode } = response
  if (responseStatus !== null) span.setAttribute('http.response.status_code', responseStatus)
  if (errorCode !== null) failSpan(span, errorCode)
  return response
}

function post(deps: SendWebhookDeps, deliveryId: number, delivery: DeliveryToSend) {
  const { accountId, eventId, eventType, body, url } = delivery
  const secrets = delivery.sealedSecrets.map((sealed) =>
    unseal(deps.masterKeys, sealed, endpointSecretContext(accountId)).toString(),
  )
  const nowSeconds = Math.floor(Date.now() / 1000)
  return postWebhook(deps.egress, {
    url,
    headers: webhookHeaders({ deliveryId, eventId, eventType, body, secrets, nowSeconds }),
    body,
    deadlineMs: deps.webhookDeadlineMs ?? WEBHOOK_DEADLINE_MS,
    lookupDeadlineMs: deps.webhookLookupDeadlineMs ?? WEBHOOK_LOOKUP_DEADLINE_MS,
    signal: cancellationSignal(),
    accountId,
  })
}
