import { request } from 'undici'
import { WEBHOOK_DEADLINE_MS, WEBHOOK_RESPONSE_BODY_MAX_BYTES } from '../../domain/limits.ts'
import type { EventEnvelope } from '../../domain/webhooks/events.ts'
import { readSystemError } from '../../processes/system-error.ts'
import { webhookHeaders } from '../../security/webhook-signature.ts'

export interface Forward {
  event: EventEnvelope
  url: URL
  secret: string
  /** The Service-Delivery-Id. */
  deliveryId: number
  /** Aborts the request. */
  signal: AbortSignal
}

/** The result of one forwarded event: a status, or the reason why there is none. */
export interface Forwarded {
  status: number | null
  error: string | null
  durationMs: number
}

/**
 * Posts one event like a delivery: the same body and headers, a limit of 15 seconds, a new connection,
 * and no redirects. Never rejects. Uses no egress guard, because the user chose the address.
 */
export async function forwardEvent({
  event,
  url,
  secret,
  deliveryId,
  signal,
}: Forward): Promise<Forwarded> {
  // The API returns the stored event, and both sides write compact JSON, so the bytes are the same.
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
      error: deadline.aborted ? 'no response within 15 seconds' : reasonOf(result),
      durationMs,
    }
  return { status: result, error: null, durationMs }
}

/** Returns the status, or the error. */
async function post(
  url: URL,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<number | Error> {
  try {
    const response = await request(url, { method: 'POST', headers, body, signal, reset: true })
    await response.body.dump({ limit: WEBHOOK_RESPONSE_BODY_MAX_BYTES, signal })
    return response.statusCode
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused: is it running?',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'there is no such host',
  UND_ERR_SOCKET: 'the connection was closed without a response',
}

function reasonOf(error: Error): string {
  const { code } = readSystemError(error)
  return REASONS[code] ?? (code || error.message)
}
