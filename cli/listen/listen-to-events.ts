import type { EventType } from '../../domain/webhooks/events.ts'
import { Reelgate, ReelgateError } from '../../sdk/src/index.ts'
import { createWebhookSecret } from '../../security/webhook-signature.ts'
import { cliErrorOfApi } from '../api-access.ts'
import { forwardEvent } from './forward.ts'
import type { Report } from './report.ts'

export interface ListenOptions {
  api: string
  apiKey: string
  forwardTo: URL
  /** Only these types; all by default. */
  types?: EventType[] | undefined
  /** Events from this time on; from now by default. */
  since?: Date | undefined
  /** A new secret by default, which is reported. */
  secret?: string | undefined
  report: Report
  /** Ends the forwarding. */
  signal: AbortSignal
}

/**
 * Forwards each event of the key's account once and in order until the signal aborts. Uses only the
 * API. Throws a CliError if the API refuses, or does not respond at the start; later it waits for the
 * API to return.
 */
export async function listenToEvents(options: ListenOptions): Promise<void> {
  const { api, forwardTo, types, since, report, signal } = options
  try {
    // `follow` retries and reports failed requests itself.
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
    throw error instanceof ReelgateError ? cliErrorOfApi(error, api) : error
  }
}
