import { request } from 'undici'
import { WEBHOOK_DEADLINE_MS, WEBHOOK_RESPONSE_BODY_MAX_BYTES } from '../../domain/limits.ts'
import type { EventEnvelope } from '../../domain/events.ts'
import { webhookHeaders } from '../../security/webhook-signature.ts'

export interface Forward {
  event: EventEnvelope
  url: URL
  secret: string
  /** The Service-Delivery-Id. */
  deliveryId: number
  /** Cuts the request off. */
  signal: AbortSignal
}

/** What became of one forwarded event: a status, or why there is none. */
export interface Forwarded {
  status: number | null
  error: string | null
  durationMs: number
}

/**
 * Posts one event as a delivery would come: the bytes of its envelope, the headers, 15 seconds for
 * all of it, a connection of its own, no redirect followed. Every failure is an answer. The address
 * is the user's own choice, so there is no guard before it.
 */
export async function forwardEvent({
  event,
  url,
  secret,
  deliveryId,
  signal,
}: Forward): Promise<Forwarded> {
  // The API sends what it has stored, and both ends write compact JSON: the bytes are the same.
  const body = JSON.stringify(event)
  const nowSeconds = Math.floor(Date.now() / 1000)
  const { id: eventId, type: eventType } = event
  const delivery = { deliveryId, eventId, eventType, body, secrets: [secret], nowSeconds }
  const deadline = AbortSignal.timeout(WEBHOOK_DEADLINE_MS)
  const startedAtMs = performance.now()
  const result = await post(
    url,
    webhookHeaders(delivery),
    body,
    AbortSignal.any([deadline, signal]),
  )
  const durationMs = Math.round(performance.now() - startedAtMs)
  if (result instanceof Error)
    return {
      status: null,
      error: deadline.aborted ? 'no answer within 15 seconds' : reasonOf(result),
      durationMs,
    }
  return { status: result, error: null, durationMs }
}

/** The status, or the error that came in its place. */
async function post(
  url: URL,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<number | Error> {
  try {
    const answer = await request(url, { method: 'POST', headers, body, signal, reset: true })
    await answer.body.dump({ limit: WEBHOOK_RESPONSE_BODY_MAX_BYTES, signal })
    return answer.statusCode
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused: is it running?',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'there is no such host',
  UND_ERR_SOCKET: 'the connection was closed without an answer',
}

function reasonOf(error: Error): string {
  const { code = '' } = error as NodeJS.ErrnoException
  return REASONS[code] ?? (code || error.message)
}
