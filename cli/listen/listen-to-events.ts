import { ERRORS } from '../../domain/error-codes.ts'
import type { ErrorCode } from '../../domain/error-codes.ts'
import type { EventType } from '../../domain/events.ts'
import { Reelgate, ReelgateError } from '../../sdk/src/index.ts'
import { createWebhookSecret } from '../../security/webhook-signature.ts'
import { CliError } from '../errors.ts'
import type { CliErrorCode } from '../errors.ts'
import { forwardEvent } from './forward.ts'
import type { Report } from './report.ts'

export interface ListenOptions {
  api: string
  apiKey: string
  forwardTo: URL
  /** Of these types alone. */
  types?: EventType[] | undefined
  /** From this time on; undefined: from now on. */
  since?: Date | undefined
  /** Undefined: a fresh one, which is reported. */
  secret?: string | undefined
  report: Report
  /** Ends it. */
  signal: AbortSignal
}

/**
 * Forwards each event of the key's account once, one after another in the order of the list, until
 * the signal aborts. Knows the API alone. Throws a CliError where the API refuses, or does not
 * answer at the start; later it waits for the API to come back.
 */
export async function listenToEvents(options: ListenOptions): Promise<void> {
  const { api, forwardTo, types, since, report, signal } = options
  try {
    // What failed is tried again by `follow`, which tells of it.
    const reelgate = new Reelgate({ apiKey: options.apiKey, baseUrl: api, maxRetries: 0 })
    const { data } = await reelgate.events.list({ limit: 1 }, { signal })
    const begin = since ? { since } : { after: data[0]?.id ?? null }
    const secret = options.secret ?? createWebhookSecret()
    const freshSecret = options.secret === undefined ? secret : null
    report.listening({ api, forwardTo: forwardTo.href, freshSecret })
    const onRetry = (error: ReelgateError, waitMs: number) => report.waiting(error.message, waitMs)
    let deliveryId = 0
    for await (const event of reelgate.events.follow({ ...begin, types, signal, onRetry })) {
      deliveryId += 1
      const result = await forwardEvent({ event, url: forwardTo, secret, deliveryId, signal })
      if (!signal.aborted) report.forwarded(event, deliveryId, result)
    }
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof ReelgateError)
      throw new CliError(explain(error, api), { code: codeOf(error) })
    throw error
  }
}

function explain(error: ReelgateError, api: string): string {
  if (error.type === 'connection_error') return `There is no API at ${api}: ${error.message}`
  return `The API at ${api} refuses: ${error.message}`
}

function codeOf({ type, code }: ReelgateError): CliErrorCode {
  if (type === 'connection_error') return 'service_unavailable'
  return isErrorCode(code) ? code : 'invalid_request'
}

/** False for a code that only a newer API has. */
const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code)
