import { InvalidArgumentError } from 'commander'
import { EVENT_TYPES } from '../../domain/events.ts'
import type { EventType } from '../../domain/events.ts'
import { parseTime } from '../arguments.ts'

/** An http or https address, without a user: it is printed. */
export function parseHttpUrl(text: string): URL {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password)
    throw new InvalidArgumentError('It must be an http or https address.')
  return url
}

/** Event types by comma. */
export function parseEventTypes(text: string): EventType[] {
  const names = text.split(',').map((name) => name.trim())
  const isKnown = (name: string): name is EventType =>
    (EVENT_TYPES as readonly string[]).includes(name)
  const unknown = names.filter((name) => !isKnown(name))
  if (unknown.length > 0)
    throw new InvalidArgumentError(
      `Unknown: ${unknown.join(', ')}. Known: ${EVENT_TYPES.join(', ')}.`,
    )
  return [...new Set(names.filter(isKnown))]
}

/** The secret of a webhook endpoint. */
export function parseWebhookSecret(text: string): string {
  if (!/^whsec_\S+$/.test(text)) throw new InvalidArgumentError('It must begin with whsec_.')
  return text
}

/** An ISO 8601 time with its offset, or a date (UTC). */
export function parseSince(text: string): Date {
  const time = parseTime(text)
  if (time === 'never') throw new InvalidArgumentError('It must be a time.')
  return time
}
