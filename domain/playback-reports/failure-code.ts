import { causeOfNumber, PLAYBACK_CAUSES, type PlaybackCause } from './playback-causes.ts'

/** What a code says by itself, also if no report is kept. */
export interface FailureCode {
  cause: PlaybackCause
  /** The start of its minute. */
  atMs: number
}

/** Crockford's 32 characters: no I, L, O and U. */
const CHARACTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const START_MS = Date.UTC(2026, 0, 1)
const MINUTE_MS = 60_000
const CAUSE_BITS = 8
const MINUTE_BITS = 24
const RANDOM_BITS = 23
const BITS_PER_CHARACTER = 5
const GROUPS = /.{4}(?=.)/g

/** The random part of a code is a whole number below this. */
export const FAILURE_CODE_RANDOM_MAX = 2 ** RANDOM_BITS

/** The length of a code without its dashes. */
const LENGTH = (CAUSE_BITS + MINUTE_BITS + RANDOM_BITS) / BITS_PER_CHARACTER + 1

/**
 * Writes a code that can be read out on the phone, such as `K7M3-Q9T2-XB4R`: the number of the cause, the minute since
 * 2026 (UTC), a random part, and a check character. `random` is a whole number below `FAILURE_CODE_RANDOM_MAX`. A time
 * that has no minute becomes the nearest one, until 2057.
 */
export function encodeFailureCode({ cause, atMs }: FailureCode, random: number): string {
  const minute = Math.floor((atMs - START_MS) / MINUTE_MS)
  const bits =
    binary(PLAYBACK_CAUSES[cause], CAUSE_BITS) +
    binary(minute, MINUTE_BITS) +
    binary(random, RANDOM_BITS)
  const digits = (bits.match(/.{5}/g) ?? []).map((group) => Number.parseInt(group, 2))
  const text = [...digits, checkOf(digits)].map((digit) => CHARACTERS[digit]).join('')
  return inGroups(text)
}

/**
 * Reads a code that a person has typed: in any case, with or without dashes and spaces, O for 0, and I or L for 1. Returns
 * null for text that is no code, or whose check character is wrong.
 */
export function decodeFailureCode(typed: string): (FailureCode & { code: string }) | null {
  const text = typed
    .replaceAll(/[\s\p{Dash}\p{Cf}]/gu, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  const digits = Array.from(text, (character) => CHARACTERS.indexOf(character))
  if (digits.length !== LENGTH || digits.includes(-1)) return null
  if (checkOf(digits.slice(0, -1)) !== digits.at(-1)) return null
  const bits = digits.map((digit) => binary(digit, BITS_PER_CHARACTER)).join('')
  const cause = causeOfNumber(Number.parseInt(bits.slice(0, CAUSE_BITS), 2))
  const minute = Number.parseInt(bits.slice(CAUSE_BITS, CAUSE_BITS + MINUTE_BITS), 2)
  return cause && { code: inGroups(text), cause, atMs: START_MS + minute * MINUTE_MS }
}

const inGroups = (text: string): string => text.replaceAll(GROUPS, '$&-')

const binary = (value: number, bits: number): string =>
  Math.min(Math.max(0, Math.trunc(value)), 2 ** bits - 1)
    .toString(2)
    .padStart(bits, '0')

/**
 * The sum of the digits in the field of 32 elements, each times another power of a primitive element. So every wrong
 * character changes it, and every exchange of two different ones.
 */
const checkOf = (digits: readonly number[]): number =>
  digits.reduce((sum, digit) => timesPrimitive(sum ^ digit), 0)

/** Modulo x⁵ + x² + 1. */
const timesPrimitive = (element: number): number =>
  element & 0b10000 ? (element << 1) ^ 0b100101 : element << 1
