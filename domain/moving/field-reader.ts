import { textFault, type TextRule } from '../text-fault.ts'
import type { FieldFault } from './manifest.ts'

/** Reads the fields of an object that comes from outside, and notes what is wrong. A field that is null is as one that is absent. */
export interface FieldReader {
  /** Notes a fault of a field; returns null. */
  refuse: (name: string, message: string) => null
  text: (name: string, rule: TextRule) => string | null
  /** A whole number from 0 on. */
  integer: (name: string, max: number) => number | null
  /** Null if the field is absent, or no list. */
  list: <T>(
    name: string,
    max: number,
    read: (value: unknown, place: string) => T | null,
  ) => T[] | null
  flag: (name: string) => boolean
  /** The field as it is, for a reader of its own, with its place. */
  take: (name: string) => { value: unknown; place: string }
  /** Notes the fields that were not read. Call it last. */
  refuseRest: () => void
}

/** Reads the fields of `value`, whose place in the line is `place`; faults are added to `faults`. */
export function readFields(value: object, place: string, faults: FieldFault[]): FieldReader {
  const rest = new Map<string, unknown>(Object.entries(value))
  const placeOf = (name: string): string => (place === '' ? name : `${place}.${name}`)
  const refuse = (name: string, message: string): null => {
    faults.push({ field: placeOf(name), message })
    return null
  }
  const take = (name: string): unknown => {
    const taken = rest.get(name) ?? null
    rest.delete(name)
    return taken
  }
  return {
    refuse,
    text(name, rule) {
      const text = take(name)
      if (text === null) return null
      if (typeof text !== 'string') return refuse(name, 'must be text')
      const fault = textFault(text, rule)
      return fault === null ? text : refuse(name, fault)
    },
    integer(name, max) {
      const number = take(name)
      if (number === null) return null
      if (typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= max)
        return number
      return refuse(name, `must be a whole number from 0 to ${max}`)
    },
    list(name, max, read) {
      const items = take(name)
      if (items === null) return null
      if (!Array.isArray(items)) return refuse(name, 'must be a list')
      if (items.length > max) return refuse(name, `must have at most ${max} entries`)
      return items.flatMap((item: unknown, index) => {
        const entry = read(item, `${placeOf(name)}[${index}]`)
        return entry === null ? [] : [entry]
      })
    },
    flag(name) {
      const flag = take(name)
      if (flag !== null && typeof flag !== 'boolean') refuse(name, 'must be true or false')
      return flag === true
    },
    take: (name) => ({ value: take(name), place: placeOf(name) }),
    refuseRest() {
      for (const name of rest.keys()) refuse(name, 'is not a field of a manifest')
    },
  }
}

/** Returns the entries of a value that is an object of JSON; null for a list and for everything else. */
export const objectOf = (value: unknown): object | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
