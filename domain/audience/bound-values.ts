import { OTHER_VALUE, VALUES_MAX, type BreakdownKind } from './breakdown.ts'
import type { ValueDelta } from './fold-sessions.ts'

/** The values that a kind has on a day already. */
export interface KnownValuesOf extends Pick<ValueDelta, 'accountId' | 'videoId' | 'day' | 'kind'> {
  values: readonly string[]
}

/** The kinds whose values come from outside; the others have fewer values than `VALUES_MAX`. */
const UNBOUND: readonly BreakdownKind[] = ['host', 'quality', 'speed', 'error']

/** A kind on a day. */
type KindOfDay = Omit<KnownValuesOf, 'values'>

const keyOf = ({ accountId, videoId, day, kind }: KindOfDay): string =>
  `${accountId} ${videoId} ${day} ${kind}`

/** The kinds and days of deltas of which `boundValues` needs the values that are known, each once. */
export function kindsToBound(deltas: readonly ValueDelta[]): KindOfDay[] {
  const unbound = deltas.filter(({ kind }) => UNBOUND.includes(kind))
  const kinds = unbound.map(({ accountId, videoId, day, kind }) => ({
    accountId,
    videoId,
    day,
    kind,
  }))
  return [...new Map(kinds.map((one) => [keyOf(one), one])).values()]
}

/**
 * Returns the deltas with `OTHER_VALUE` in place of each value that is one too many on its day. A value that a day has, it keeps; so what is
 * taken away from a value was added to the same one.
 */
export function boundValues(
  deltas: readonly ValueDelta[],
  known: readonly KnownValuesOf[],
): ValueDelta[] {
  const valuesOf = new Map(known.map((one) => [keyOf(one), new Set(one.values)]))
  return deltas.map((delta) => {
    if (!UNBOUND.includes(delta.kind)) return delta
    const key = keyOf(delta)
    const values = valuesOf.get(key) ?? new Set<string>()
    valuesOf.set(key, values)
    const isKept = values.has(delta.value) || values.size < VALUES_MAX
    if (isKept) values.add(delta.value)
    return isKept ? delta : { ...delta, value: OTHER_VALUE }
  })
}
