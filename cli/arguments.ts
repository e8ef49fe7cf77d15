import { InvalidArgumentError, Option } from 'commander'
import { isCurrency, isPaymentAmount } from '../domain/payment.ts'
import { parseRowId } from '../domain/row-id.ts'
import { SCOPES, isScope } from '../domain/scopes.ts'
import type { Scope } from '../domain/scopes.ts'
import { isViewerId } from '../domain/viewer-id.ts'

/** A positive integer, such as an id. */
export function parseId(text: string): number {
  const id = parseRowId(text)
  if (id === null) throw new InvalidArgumentError('It must be a positive integer.')
  return id
}

/** A count of bytes, or `unlimited` (commander would turn a null into an empty text). */
export function parseStorageBytes(text: string): number | 'unlimited' {
  if (text === 'unlimited') return text
  const bytes = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(bytes))
    throw new InvalidArgumentError('It must be a whole number of bytes, or unlimited.')
  return bytes
}

/** A count of minutes, or `unlimited`. */
export function parseMinutes(text: string): number | 'unlimited' {
  if (text === 'unlimited') return text
  const minutes = Number(text)
  if (!/^\d+$/.test(text) || minutes > MINUTES_MAX)
    throw new InvalidArgumentError('It must be a whole number of minutes, or unlimited.')
  return minutes
}

/** PostgreSQL's integer; about four thousand years. */
const MINUTES_MAX = 2 ** 31 - 1

/** An amount of money in the smallest unit of its currency. */
export function parseAmount(text: string): number {
  const amount = Number(text)
  if (!/^\d+$/.test(text) || !isPaymentAmount(amount))
    throw new InvalidArgumentError(
      "It must be a whole number over 0, in the currency's smallest unit: 4900 for 49 dollars.",
    )
  return amount
}

/** An ISO 4217 code, in lowercase as Stripe has it. */
export function parseCurrency(text: string): string {
  const currency = text.toLowerCase()
  if (!isCurrency(currency)) throw new InvalidArgumentError('It must be a code such as usd.')
  return currency
}

export function parseBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false')
    throw new InvalidArgumentError('It must be true or false.')
  return text === 'true'
}

/** An ISO 8601 time with its offset, or a date (UTC), or `never`. */
export function parseTime(text: string): Date | 'never' {
  if (text === 'never') return text
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
  const time = new Date(text)
  if (!isIso || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError(
      'It must be an ISO 8601 time such as 2027-01-31T00:00:00Z, or never.',
    )
  return time
}

/** Scopes by comma, or `all`. */
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

/** How many rows a list shows at most. */
function parseLimit(text: string): number {
  const limit = parseId(text)
  if (limit > 1000) throw new InvalidArgumentError('It must be at most 1000.')
  return limit
}

/** Text that says something: not empty, at most 255 characters, one line. */
export function parseName(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > 255 || /\p{Cc}/u.test(name))
    throw new InvalidArgumentError('It must be 1 to 255 characters on one line.')
  return name
}

/** A viewer id, as viewer tokens carry it. */
export function parseViewerId(text: string): string {
  if (!isViewerId(text))
    throw new InvalidArgumentError('It must be 1 to 64 bytes of text without control characters.')
  return text
}

/** `--account ID`, needed. */
export const accountOption = (): Option =>
  new Option('--account <id>', 'account id').argParser(parseId).makeOptionMandatory()

/** `--account ID`, to narrow a list. */
export const accountFilter = (): Option =>
  new Option('--account <id>', 'only this account').argParser(parseId)

export const limitOption = (): Option =>
  new Option('--limit <n>', 'maximum number of rows').argParser(parseLimit).default(20)
