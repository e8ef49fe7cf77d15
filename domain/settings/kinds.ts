import { hostRule } from '../host-name.ts'
import { DOMAINS_MAX } from '../limits.ts'

/** What a declaration of each kind says. `default` has the type of the values. */
interface Kinds {
  switch: { default: boolean }
  /** `type` names the values in the API document. */
  choice: { type: string; values: readonly string[]; default: string }
  /** Such as `#4f8cff` or `#fff`. */
  color: { default: string }
  /** A BCP 47 language, such as `en` or `pt-BR`; null for that of the browser. */
  language: { default: string | null }
  /** A number from `min` to 1. */
  fraction: { min: number; default: number }
  /** A whole number from 1 to `max`; null for no limit. */
  limit: { max: number; default: number | null }
  /** A whole number of days from 1 to `max`; null for as many as the installation has. */
  days: { max: number; default: number | null }
  /** An http or https address of at most `max` characters; null for none. */
  link: { max: number; default: string | null }
  /** One line of at most `max` characters; null for none. */
  line: { max: number; default: string | null }
  /** Some of `values`: the short sides of renditions, in pixels. */
  resolutions: { values: readonly number[]; default: readonly number[] }
  /** Host names and wildcards (`hostRule`). */
  hosts: { default: readonly string[] }
}

export type Kind = keyof Kinds

/**
 * The declaration of a setting. `about` is its text in the API document. A preview may show an unsaved value of a look;
 * what protects is none.
 */
export type Setting<One extends Kind = Kind> = {
  [Name in One]: { kind: Name; about: string; isLook?: true } & Kinds[Name]
}[One]

/** The type of the values that a setting takes. */
export type ValueOf<One extends Setting> = One extends { kind: 'choice' }
  ? One['values'][number]
  : Mutable<Kinds[One['kind']]['default']>

type Mutable<Value> = Value extends readonly (infer Item)[] ? Item[] : Value

const isNumberUpTo = (value: unknown, { max }: { max: number }): boolean =>
  value === null || (isInteger(value) && value >= 1 && value <= max)

const RULES: { [One in Kind]: (value: unknown, setting: Setting<One>) => boolean } = {
  switch: (value) => typeof value === 'boolean',
  choice: (value, { values }) => isOneOf(values, value),
  color: (value) => typeof value === 'string' && isColor(value),
  language: (value) => value === null || (typeof value === 'string' && LANGUAGE_TAG.test(value)),
  fraction: (value, { min }) => typeof value === 'number' && value >= min && value <= 1,
  limit: isNumberUpTo,
  days: isNumberUpTo,
  link: (value, { max }) => value === null || (isText(value, max) && isWebLink(value)),
  line: (value, { max }) => value === null || (isText(value, max) && isReadableLine(value)),
  resolutions: (value, { values }) =>
    isList(value) && value.length > 0 && value.every((one) => isOneOf(values, one)),
  hosts: (value) => isList(value) && value.length <= DOMAINS_MAX && value.every(isHostRule),
}

/** True if a setting takes the value. */
export const accepts = <One extends Kind>(setting: Setting<One>, value: unknown): boolean =>
  RULES[setting.kind](value, setting)

const HINTS: { [One in Kind]: (setting: Setting<One>) => string } = {
  switch: () => 'true | false',
  choice: ({ values }) => values.join(' | '),
  color: () => '#rrggbb',
  language: () => 'a language such as en, or null',
  fraction: ({ min }) => `${min} to 1`,
  limit: ({ max }) => `1 to ${max}, or null`,
  days: ({ max }) => `1 to ${max} days, or null`,
  link: () => 'an http or https address, or null',
  line: ({ max }) => `one line of up to ${max} characters, or null`,
  resolutions: ({ values }) => `a list among ${values.join(', ')}`,
  hosts: () => 'a list such as ["a.example","*.b.example"]',
}

/** Describes the values that a setting takes, for people. */
export const valuesHint = <One extends Kind>(setting: Setting<One>): string =>
  HINTS[setting.kind](setting)

/** True for a colour that the player can show, such as `#4f8cff` or `#fff`. */
export const isColor = (text: string): boolean => /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)

const LANGUAGE_TAG = /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i

const isOneOf = (values: readonly unknown[], value: unknown): boolean => values.includes(value)

const isInteger = (value: unknown): value is number => Number.isInteger(value)

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length <= max

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

const isHostRule = (value: unknown): boolean =>
  typeof value === 'string' && hostRule(value) !== null

/** True for an absolute http or https address without credentials. Others, such as `javascript:`, could run code. */
function isWebLink(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return ['http:', 'https:'].includes(protocol) && username === '' && password === ''
}

/** True for one line with something to read. */
const isReadableLine = (text: string): boolean => text.trim() !== '' && !/\p{Cc}/u.test(text)
