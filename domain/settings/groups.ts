/** The value of one setting. */
export type SettingValue = boolean | number | string | null | readonly (number | string)[]

/** Settings by their names; those of a group in one object. */
interface SomeSettings {
  readonly [name: string]: SettingValue | undefined | SomeSettings
}

/** Each setting that is defined by its name, such as `theme` or `colors.accent`. */
export const settingValues = (settings: SomeSettings): Map<string, SettingValue> =>
  new Map(entriesOf(settings, ''))

const entriesOf = (settings: SomeSettings, prefix: string): [string, SettingValue][] =>
  Object.entries(settings).flatMap(([name, value]) => {
    if (isGroup(value)) return entriesOf(value, `${prefix}${name}.`)
    return value === undefined ? [] : [[prefix + name, value] as const]
  })

/** True for an object. What is in it is not checked. */
export const isGroup = (value: unknown): value is SomeSettings =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The opposite of `settingValues`: values by names, with those of a group in one object. Of two, the last one counts. */
export function grouped<Value>(
  values: Iterable<readonly [string, Value]>,
): Record<string, Value | Record<string, Value>> {
  const groups = new Map<string, Record<string, Value>>()
  const result: Record<string, Value | Record<string, Value>> = {}
  for (const [name, value] of values) {
    const [group = '', own] = name.split('.')
    if (own === undefined) result[name] = value
    else {
      const members = groups.get(group) ?? {}
      members[own] = value
      groups.set(group, members)
      result[group] = members
    }
  }
  return result
}
