import { setCurrentDetails } from '@temporalio/workflow'
import type { AttemptResponse } from '../domain/webhooks/webhook-delivery.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Shows the last response and the state of a delivery in the Web UI; this records no command in the history. */
export const showDetails = (lastAnswer: AttemptResponse | null, now: string): void =>
  setCurrentDetails(lastAnswer ? `${responseText(lastAnswer)}\n\n${now}` : now)

/**
 * Describes the response to an attempt: "Attempt 2: HTTP 503 after 120 ms", "Attempt 3: timeout
 * after 15012 ms". Omits the error code `http_error`, which the status implies.
 */
export function responseText({
  attempt,
  responseStatus,
  errorCode,
  durationMs,
}: AttemptResponse): string {
  const status = responseStatus === null ? [] : [`HTTP ${responseStatus}`]
  const code = errorCode === null || errorCode === 'http_error' ? [] : [errorCode]
  return `Attempt ${attempt}: ${[...status, ...code].join(', ')} after ${durationMs} ms`
}

/** Formats a wait for the summary of a timer: "37 s", "5 min", "2 h", "1 h 40 min". */
export function waitText(waitMs: number): string {
  if (waitMs < MINUTE_MS) return `${Math.ceil(waitMs / 1000)} s`
  const minutes = Math.round(waitMs / MINUTE_MS)
  if (minutes * MINUTE_MS < HOUR_MS) return `${minutes} min`
  const rest = minutes % 60
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`
}
