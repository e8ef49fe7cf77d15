import { InvalidArgumentError } from 'commander'
import { EVENT_TYPES, isEventType } from '../domain/events.ts'
import type { EventType } from '../domain/events.ts'
import { parseTime } from './arguments.ts'

/** An http or https address, without a user: it is printed. Null for any other text. */
export function httpUrlOf(text: string): URL | null {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : null
}

/** The same for an option. */
export function parseHttpUrl(text: string): URL {
  const url = httpUrlOf(text)
  if (!url) throw new InvalidArgumentError('It must be an http or https address.')
  return url
}

/** Event types by comma. */
export function parseEventTypes(text: string): EventType[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !isEventType(name))
  if (unknown.length > 0)
    throw new InvalidArgumentError(
      `Unknown: ${unknown.join(', ')}. Known: ${EVENT_TYPES.join(', ')}.`,
    )
  return [...new Set(names.filter(isEventType))]
}

/** True for what can be the secret of a webhook endpoint. */
export const isWebhookSecret = (text: string): boolean => /^whsec_\S+$/.test(text)

/** The secret of a webhook endpoint. */
export function parseWebhookSecret(text: string): string {
  if (!isWebhookSecret(text)) throw new InvalidArgumentError('It must begin with whsec_.')
  return text
}

/** An ISO 8601 time with its offset, or a date (UTC). */
export function parseSince(text: string): Date {
  const time = parseTime(text)
  if (time === 'never') throw new InvalidArgumentError('It must be a time.')
  return time
}
