import type { ErrorCode } from '../domain/error-codes.ts'
import { EgressError, isOwnFault } from './egress-error.ts'
import type { Egress } from './egress.ts'

export type WebhookUrlErrorCode = Extract<
  ErrorCode,
  'invalid_webhook_url' | 'webhook_url_not_allowed' | 'webhook_url_unreachable'
>

/** A refused webhook URL. The message is a sentence for the integrator, without the URL. */
export class WebhookUrlError extends Error {
  override name = 'WebhookUrlError'
  readonly code: WebhookUrlErrorCode

  constructor(code: WebhookUrlErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
  }
}

/**
 * Checks a webhook URL at registration: its syntax, its port, and that its host resolves only to
 * public addresses (contract, "Webhook endpoints"). Sends nothing to it. Takes at most five
 * seconds, and three more if this installation's network may be at fault. Throws a WebhookUrlError,
 * or an EgressError `overloaded` or `network_away`.
 */
export async function checkWebhookUrl(
  egress: Egress,
  url: string,
  accountId?: number,
): Promise<void> {
  try {
    await egress.checkAddress(url, accountId)
  } catch (error) {
    if (!(error instanceof EgressError) || isOwnFault(error)) throw error
    throw new WebhookUrlError(toErrorCode(error), error.message, error)
  }
}

function toErrorCode(error: EgressError): WebhookUrlErrorCode {
  if (error.code === 'invalid_url') return 'invalid_webhook_url'
  if (error.code === 'address_not_allowed') return 'webhook_url_not_allowed'
  return 'webhook_url_unreachable'
}
