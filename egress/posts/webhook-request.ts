import { WEBHOOK_RESPONSE_BODY_MAX_BYTES } from '../../domain/limits.ts'
import { readRetryAfterMs } from '../../domain/webhooks/retry-after.ts'
import type { DeliveryErrorCode, RecordedResponse } from '../../domain/webhooks/webhook-delivery.ts'
import { EgressError, type EgressErrorCode } from '../egress-error.ts'
import type { Egress, EgressResponse } from '../egress.ts'
import { decodeBody } from './response-text.ts'
import { keptHeaders, readStart } from './webhook-response.ts'

export interface WebhookRequest {
  url: string
  headers: Record<string, string>
  body: string
  /** From the connection attempt to the last byte of the stored part of the response. */
  deadlineMs: number
  lookupDeadlineMs: number
  signal: AbortSignal
  accountId?: number
}

/** The result of one request. */
export interface WebhookResponse extends RecordedResponse {
  /** How long the receiver asks to wait before the next attempt; null if it does not. */
  retryAfterMs: number | null
}

/**
 * Posts one webhook through the egress guard, which checks the address again. Everything except a 2xx
 * response within the deadline is a failed attempt, including a redirect (contract, "Retries"), and is
 * returned. Throws an EgressError `aborted` if `signal` aborts, when the result of the attempt is unknown,
 * and `overloaded` or `network_away` if nothing was sent because of a fault of this installation.
 */
export async function postWebhook(
  egress: Egress,
  request: WebhookRequest,
): Promise<WebhookResponse> {
  let response: EgressResponse
  try {
    response = await egress.request({ ...request, method: 'POST', maxRedirects: 0 })
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    const { code } = error
    if (code === 'aborted' || code === 'overloaded' || code === 'network_away') throw error
    return {
      responseStatus: null,
      errorCode: DELIVERY_ERRORS[code],
      errorCause: error.failureCause ?? null,
      errorMessage: error.message,
      responseHeaders: {},
      responseBody: null,
      responseEncoding: null,
      retryAfterMs: null,
      remoteIp: error.remoteAddress ?? null,
      timings: rounded(error.timings),
    }
  }
  const { bytes, failure } = await readStart(response.body, WEBHOOK_RESPONSE_BODY_MAX_BYTES)
  if (failure?.code === 'aborted') throw failure
  const { text, encoding } = await decodeBody(
    bytes,
    response.headers,
    WEBHOOK_RESPONSE_BODY_MAX_BYTES,
  )
  return {
    responseStatus: response.status,
    ...resultOf(response.status, failure),
    errorCause: null,
    responseHeaders: keptHeaders(response.headers),
    responseBody: text,
    responseEncoding: encoding,
    retryAfterMs: readRetryAfterMs(response, Date.now()),
    remoteIp: response.remoteAddress,
    timings: rounded(response.timings),
  }
}

function resultOf(
  status: number,
  failure: EgressError | null,
): Pick<WebhookResponse, 'errorCode' | 'errorMessage'> {
  // After a 2xx status line, a broken connection is still a success, but a timeout is not.
  if (failure?.code === 'timeout')
    return {
      errorCode: 'timeout',
      errorMessage: `The response with status ${status} did not end in time. Respond first and work afterwards.`,
    }
  if (status >= 200 && status < 300) return { errorCode: null, errorMessage: null }
  if (isRedirect(status))
    return {
      errorCode: 'redirect_not_followed',
      errorMessage: `The receiver responded with the redirect ${status}, which is not followed. Set the endpoint to the address that it leads to.`,
    }
  return {
    errorCode: 'http_error',
    errorMessage: `The receiver responded with status ${status}; it must be 2xx.`,
  }
}

/** 304 leads nowhere. */
const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304

const DELIVERY_ERRORS: Record<
  Exclude<EgressErrorCode, 'aborted' | 'overloaded' | 'network_away'>,
  DeliveryErrorCode
> = {
  // The URL was valid at its registration, so only its current address can be the cause.
  invalid_url: 'address_not_allowed',
  address_not_allowed: 'address_not_allowed',
  dns_error: 'dns_error',
  connection_refused: 'connection_refused',
  connection_reset: 'connection_reset',
  tls_error: 'tls_error',
  timeout: 'timeout',
  too_many_redirects: 'protocol_error',
  headers_too_large: 'protocol_error',
  response_too_large: 'protocol_error',
  protocol_error: 'protocol_error',
}

const rounded = (timings: object): Record<string, number> =>
  Object.fromEntries(
    Object.entries(timings).map(([phase, ms]) => [phase, Math.round(Number(ms) * 10) / 10]),
  )
