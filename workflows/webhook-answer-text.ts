import type { AttemptAnswer } from '../domain/delivery-schedule.ts'

/**
 * What an attempt came to, for the Web UI: "Attempt 2: HTTP 503 after 120 ms", "Attempt 3: timeout
 * after 15012 ms". The code is left out where the status says it.
 */
export function answerText({
  attempt,
  responseStatus,
  errorCode,
  durationMs,
}: AttemptAnswer): string {
  const status = responseStatus === null ? [] : [`HTTP ${responseStatus}`]
  const code = errorCode === null || errorCode === 'http_error' ? [] : [errorCode]
  return `Attempt ${attempt}: ${[...status, ...code].join(', ')} after ${durationMs} ms`
}
