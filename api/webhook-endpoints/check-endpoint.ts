import { SUBSCRIBABLE_EVENT_TYPES, isSubscribable } from '../../domain/events.ts'
import type { SubscribableEventType } from '../../domain/events.ts'
import type { ErrorCode } from '../../domain/error-codes.ts'
import { checkWebhookUrl } from '../../egress/check-webhook-url.ts'
import { ApiError } from '../api-error.ts'
import type { ApiDeps } from '../deps.ts'
import { refuseLink } from '../refuse-link.ts'

/** What the checks here refuse with. */
export const ENDPOINT_ERRORS: ErrorCode[] = [
  'invalid_webhook_url',
  'webhook_url_not_allowed',
  'webhook_url_unreachable',
  'unknown_event_type',
]

/** Each type once. Throws unknown_event_type for one that cannot be subscribed to. */
export function requireEvents(types: string[]): SubscribableEventType[] {
  const unknown = types.find((type) => !isSubscribable(type))
  if (unknown !== undefined)
    throw new ApiError('unknown_event_type', {
      param: 'events',
      message: `There is no such event type to subscribe to; there are ${SUBSCRIBABLE_EVENT_TYPES.join(', ')}.`,
    })
  return [...new Set(types.filter(isSubscribable))]
}

/** Checks the form of a webhook URL and where it leads. Throws what is wrong with it. */
export const requireUrl = (deps: ApiDeps, url: string): Promise<void> =>
  refuseLink(checkWebhookUrl(deps.egress, url), 'url')
