import { InvalidArgumentError, Option } from 'commander'
import { isEmail, normalEmail } from '../commands/members/email-address.ts'
import { isCurrency, isPaymentAmount } from '../domain/accounts/payment.ts'
import { isScope, SCOPES, type Scope } from '../domain/accounts/scopes.ts'
import { isDeviceId } from '../domain/drm/drm-device.ts'
import { isViewerId } from '../domain/playback/viewer-id.ts'
import { INTEGER_MAX, parseIntegerId, parseRowId } from '../domain/row-id.ts'
import { EVENT_TYPES, isEventType, type EventType } from '../domain/webhooks/events.ts'

/** Parses a positive integer, such as an id. */
export function parseId(text: string): number {
  const id = parseRowId(text)
  if (id === null) throw new InvalidArgumentError('It must be a positive integer.')
  return id
}

/** Parses the id of an account, or that of an API key. */
export function parseAccountId(text: string): number {
  const id = parseIntegerId(text)
  if (id === null) throw new InvalidArgumentError(`It must be an integer from 1 to ${INTEGER_MAX}.`)
  return id
}

/** Parses a number of bytes, or `unlimited`, because commander converts null to an empty text. */
export function parseStorageBytes(text: string): number | 'unlimited' {
  if (text === 'unlimited') return text
  const bytes = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(bytes))
    throw new InvalidArgumentError('It must be a whole number of bytes, or unlimited.')
  return bytes
}

/** Parses a number of minutes, or `unlimited`. */
export function parseMinutes(text: string): number | 'unlimited' {
  if (text === 'unlimited') return text
  const minutes = Number(text)
  if (!/^\d+$/.test(text) || minutes > INTEGER_MAX)
    throw new InvalidArgumentError('It must be a whole number of minutes, or unlimited.')
  return minutes
}

/** Parses an amount of money in the smallest unit of its currency. */
export function parseAmount(text: string): number {
  const amount = Number(text)
  if (!/^\d+$/.test(text) || !isPaymentAmount(amount))
    throw new InvalidArgumentError(
      "It must be a whole number over 0, in the currency's smallest unit: 4900 for 49 dollars.",
    )
  return amount
}

/** Parses an ISO 4217 code and returns it in lowercase, like Stripe. */
export function parseCurrency(text: string): string {
  const currency = text.toLowerCase()
  if (!isCurrency(currency)) throw new InvalidArgumentError('It must be a code such as usd.')
  return currency
}

/** Parses the seconds after which a licence is renewed, or `never`. */
export const parseRenewal = (text: string): number | 'never' =>
  text === 'never' ? text : parseId(text)

/** Parses `true` or `false`. */
export function parseBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false')
    throw new InvalidArgumentError('It must be true or false.')
  return text === 'true'
}

/** Parses an ISO 8601 time with an offset, a date (UTC), or `never`. */
export const parseTime = (text: string): Date | 'never' =>
  text === 'never' ? text : readTime(text, ', or never')

/** Parses an ISO 8601 time with an offset, or a date (UTC). */
export const parseSince = (text: string): Date => readTime(text)

function readTime(text: string, alternative = ''): Date {
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
  const time = new Date(text)
  if (!isIso || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError(
      `It must be an ISO 8601 time such as 2027-01-31T00:00:00Z${alternative}.`,
    )
  return time
}

/** Parses scopes separated by commas, or `all`. */
export function parseScopes(text: string): Scope[] {
  if (text === 'all') return [...SCOPES]
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !isScope(name))
  if (unknown.length > 0)
    throw new InvalidArgumentError(
      `Unknown: ${unknown.join(', ')}. Known: all, ${SCOPES.join(', ')}.`,
    )
  return [...new Set(names.filter(isScope))]
}

/** Parses the maximum number of rows of a list. */
function parseLimit(text: string): number {
  const limit = parseId(text)
  if (limit > 1000) throw new InvalidArgumentError('It must be at most 1000.')
  return limit
}

/** Parses a name: one line of 1 to 255 characters. */
export function parseName(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > 255 || /\p{Cc}/u.test(name))
    throw new InvalidArgumentError('It must be 1 to 255 characters on one line.')
  return name
}

/** Parses an e-mail address and returns it as members are stored. */
export function parseEmail(text: string): string {
  const email = normalEmail(text)
  if (!isEmail(email))
    throw new InvalidArgumentError('It must be an address such as anna@example.com.')
  return email
}

/** Parses the id of a device, as `devices list` shows it. */
export function parseDeviceId(text: string): string {
  if (!isDeviceId(text))
    throw new InvalidArgumentError('It must be 1 to 200 printable characters without spaces.')
  return text
}

/** Parses a viewer id, as in viewer tokens. */
export function parseViewerId(text: string): string {
  if (!isViewerId(text))
    throw new InvalidArgumentError('It must be 1 to 64 bytes of text without control characters.')
  return text
}

/** Returns an http or https address without a user name, because it is printed; null for other text. */
export function httpUrlOf(text: string): URL | null {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : null
}

/** Parses an http or https address. */
export function parseHttpUrl(text: string): URL {
  const url = httpUrlOf(text)
  if (!url) throw new InvalidArgumentError('It must be an http or https address.')
  return url
}

/** Parses event types separated by commas. */
export function parseEventTypes(text: string): EventType[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !isEventType(name))
  if (unknown.length > 0)
    throw new InvalidArgumentError(
      `Unknown: ${unknown.join(', ')}. Known: ${EVENT_TYPES.join(', ')}.`,
    )
  return [...new Set(names.filter(isEventType))]
}

/** The mandatory option `--account ID`. */
export const accountOption = (): Option =>
  new Option('--account <id>', 'account id').argParser(parseAccountId).makeOptionMandatory()

/** The option `--account ID` that filters a list. */
export const accountFilter = (): Option =>
  new Option('--account <id>', 'only this account').argParser(parseAccountId)

/** The option `--limit N` of a list. */
export const limitOption = (): Option =>
  new Option('--limit <n>', 'maximum number of rows').argParser(parseLimit).default(20)
