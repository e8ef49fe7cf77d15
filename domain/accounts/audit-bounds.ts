import type { AuditedFields, AuditedStates } from './audit.ts'

/** What an entry keeps of a value that is too long. */
export interface ShortenedValue {
  shortened: true
  /** The items of a list, the fields of an object or the characters of a text. */
  count: number
  /** Of a list of objects whose ids are texts, such as videos: nothing else in the entry says which they were. */
  ids?: string[]
}

/** True for what an entry keeps of a value that is too long. The record has no such value of its own: what callers name has texts alone. */
export const isShortened = (value: unknown): value is ShortenedValue =>
  typeof value === 'object' && value !== null && 'shortened' in value && value.shortened === true

/**
 * Shortens the longest fields of a change, in both states, until its states have at most `maxBytes` as JSON in UTF-8, or all
 * are shortened. Every field keeps its name. The ids of a list go last, and only if they are needed for `limitBytes`.
 */
export function boundStates(
  states: AuditedStates,
  maxBytes: number,
  limitBytes = maxBytes,
): AuditedStates {
  const short = shortenLongest(states, maxBytes, shorten)
  return shortenLongest(short, limitBytes, shortenMore)
}

/** The bytes of the states of a change, as JSON in UTF-8. */
export const bytesOfStates = ({ before, after }: AuditedStates): number =>
  bytesOf(before) + bytesOf(after)

type Shorten = (value: unknown) => unknown

function shortenLongest(states: AuditedStates, maxBytes: number, one: Shorten): AuditedStates {
  let excess = bytesOfStates(states) - maxBytes
  if (excess <= 0) return states
  const { before, after } = states
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const gains = names.map((name) => ({
    name,
    bytes: gainOf(before?.[name], one) + gainOf(after?.[name], one),
  }))
  const chosen = new Set<string>()
  for (const { name, bytes } of gains.toSorted((a, b) => b.bytes - a.bytes)) {
    if (excess <= 0) break
    chosen.add(name)
    excess -= bytes
  }
  return { before: apply(before, chosen, one), after: apply(after, chosen, one) }
}

const gainOf = (value: unknown, one: Shorten): number => bytesOf(value) - bytesOf(one(value))

const apply = (
  fields: AuditedFields | null,
  names: ReadonlySet<string>,
  one: Shorten,
): AuditedFields | null =>
  fields &&
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, names.has(name) ? one(value) : value]),
  )

/** A value that is shorter than what would replace it stays. */
function shorten(value: unknown): unknown {
  if (isShortened(value)) return value
  const ids = idsOf(value)
  const short = { shortened: true, count: countOf(value), ...(ids.length > 0 && { ids }) }
  return bytesOf(short) < bytesOf(value) ? short : value
}

function shortenMore(value: unknown): unknown {
  if (!isShortened(value)) return value
  const { shortened, count } = value
  return { shortened, count }
}

function countOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

const idsOf = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap((item: unknown) =>
        typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'string'
          ? [item.id]
          : [],
      )
    : []

const UTF_8 = new TextEncoder()

const bytesOf = (value: unknown): number =>
  value === undefined ? 0 : UTF_8.encode(JSON.stringify(value)).length
