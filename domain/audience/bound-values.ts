import { OTHER_VALUE, VALUES_MAX } from './breakdown.ts'
import type { ValueDelta } from './fold-sessions.ts'

/** The values that a kind has on a day already. */
export interface KnownValuesOf extends Pick<ValueDelta, 'accountId' | 'videoId' | 'day' | 'kind'> {
  values: readonly string[]
}

/**
 * Returns the deltas with `OTHER_VALUE` in place of each value that is one too many on its day. A value that a day has, it keeps; so what is
 * taken away from a value was added to the same one.
 */
export function boundValues(
  deltas: readonly ValueDelta[],
  known: readonly KnownValuesOf[],
): ValueDelta[] {
  const keyOf = ({ accountId, videoId, day, kind }: Omit<KnownValuesOf, 'values'>): string =>
    `${accountId} ${videoId} ${day} ${kind}`
  const valuesOf = new Map(known.map((one) => [keyOf(one), new Set(one.values)]))
  return deltas.map((delta) => {
    const key = keyOf(delta)
    const values = valuesOf.get(key) ?? new Set<string>()
    valuesOf.set(key, values)
    const isKept = values.has(delta.value) || values.size < VALUES_MAX
    if (isKept) values.add(delta.value)
    return isKept ? delta : { ...delta, value: OTHER_VALUE }
  })
}
