import type { Language } from '../../../../domain/language.ts'
import { pluralText, type PluralText } from '../../locales/plural.ts'
import { useLocale } from '../../locales/words.tsx'
import { useTimeZone } from '../../shell/time-zone.tsx'

const MINUTE_MS = 60_000

/** Largest first. */
const UNITS = [
  ['year', 365 * 24 * 60],
  ['month', 30 * 24 * 60],
  ['week', 7 * 24 * 60],
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
  ['second', 1 / 60],
] as const

const MOMENT = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const

/** Largest first. A decimal of many hours says nothing. */
const TIME_UNITS = [
  { unit: 'hour', from: 360_000, size: 3600, digits: 0 },
  { unit: 'hour', from: 3600, size: 3600, digits: 1 },
  { unit: 'minute', from: 60, size: 60, digits: 1 },
  { unit: 'second', from: 0, size: 1, digits: 1 },
] as const

/** Below this, a percentage needs a decimal. */
const SMALL_SHARE = 0.1

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

/** How values read in one language and one time zone. */
export interface Formats {
  /** Such as `5 minutes ago`. */
  relative: (timeMs: number, nowMs: number) => string
  /** Such as `22 Nov 2026, 14:05:10 CET`. */
  exact: (timeMs: number) => string
  /** The day, such as `22 Nov 2026`, in the time zone or in another one. */
  day: (timeMs: number, zone?: string) => string
  /** Such as `22 Nov, 14:00`, in the time zone or in another one. */
  moment: (timeMs: number, zone?: string) => string
  /** Such as `November 2026`, in UTC. */
  month: (timeMs: number) => string
  /** In decimal units, such as `48.2 MB`. */
  bytes: (bytes: number) => string
  /** From bits a second, such as `2.4 Mb/s`. */
  bitRate: (bitsPerSecond: number) => string
  /** Such as `1:01:40`. */
  duration: (seconds: number) => string
  /** Such as `3 hours`: whole units of the largest that fits. */
  span: (seconds: number) => string
  /** From a share of 1. */
  percent: (share: number) => string
  number: (value: number) => string
  /** The form of a text for a number, such as `2 videos selected`. */
  counted: (text: PluralText, value: number) => string
  /** From seconds, in the largest unit up to hours of which there is at least one, such as `12.5 hr`. */
  hours: (seconds: number) => string
  /** From a share of 1, with a decimal where it is small, such as `0.4%`. */
  share: (share: number) => string
}

/** The formats in use, by language and time zone: a list has hundreds of values, and each format costs milliseconds. */
const known = new Map<string, Formats>()

/** The formats of the page's language and time zone. Digits are Latin everywhere, as in ids and code. */
export function useFormats(): Formats {
  const { language } = useLocale()
  const { zone } = useTimeZone()
  const key = `${language} ${zone}`
  const formats = known.get(key) ?? formatsOf(language, zone)
  known.set(key, formats)
  return formats
}

function formatsOf(language: Language, timeZone: string): Formats {
  const locale = `${language}-u-nu-latn`
  const number = once(() => new Intl.NumberFormat(locale))
  const rules = once(() => new Intl.PluralRules(language))
  const percent = once(() => new Intl.NumberFormat(locale, { style: 'percent' }))
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
  const small = once(
    () => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }),
  )
  const times = TIME_UNITS.map(({ unit, digits }) => once(() => unitFormat(locale, unit, digits)))
  const bytes = BYTE_UNITS.map((unit) => once(() => unitFormat(locale, unit, 1)))
  const dates = (parts: Intl.DateTimeFormatOptions, zone: string) =>
    new Intl.DateTimeFormat(locale, { ...parts, timeZone: zone })
  const exact = once(() => dates({ dateStyle: 'medium', timeStyle: 'long' }, timeZone))
  const moment = once(() => dates(MOMENT, timeZone))
  return {
    relative: (timeMs, nowMs) => relativeTo(relative(), timeMs - nowMs),
    exact: (timeMs) => exact().format(timeMs),
    day: (timeMs, zone = timeZone) => dates({ dateStyle: 'medium' }, zone).format(timeMs),
    moment: (timeMs, zone) => (zone === undefined ? moment() : dates(MOMENT, zone)).format(timeMs),
    month: (timeMs) => dates({ month: 'long', year: 'numeric' }, 'UTC').format(timeMs),
    bytes: (value) => inUnits(bytes, value),
    bitRate: (bitsPerSecond) => bitRate(locale, bitsPerSecond),
    duration: clockTime,
    span: (seconds) => spanOf(locale, seconds),
    percent: (share) => percent().format(share),
    number: (value) => number().format(value),
    counted: (text, value) => pluralText(text, rules(), value, number().format(value)),
    hours: (seconds) => hoursOf(times, seconds),
    share: (share) => (Math.abs(share) < SMALL_SHARE ? small() : percent()).format(share),
  }
}

/** Makes a value when it is first used: a page uses few of the formats. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

function relativeTo(format: Intl.RelativeTimeFormat, differenceMs: number): string {
  const minutes = differenceMs / MINUTE_MS
  for (const [unit, size] of UNITS)
    if (Math.abs(minutes) >= size) return format.format(Math.trunc(minutes / size), unit)
  return format.format(0, 'second')
}

/** Formats bytes in the largest unit of which they have at least one; `formats` has one for each unit. */
function inUnits(formats: readonly (() => Intl.NumberFormat)[], bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), formats.length - 1)
  return formats[step]?.().format(bytes / 1000 ** step) ?? ''
}

function bitRate(locale: string, bitsPerSecond: number): string {
  const isMega = bitsPerSecond >= 1_000_000
  const unit = isMega ? 'megabit-per-second' : 'kilobit-per-second'
  return unitFormat(locale, unit, isMega ? 1 : 0).format(bitsPerSecond / (isMega ? 1e6 : 1e3))
}

const unitFormat = (
  locale: string,
  unit: string,
  maximumFractionDigits: number,
): Intl.NumberFormat =>
  new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits,
  })

const SPANS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

function spanOf(locale: string, seconds: number): string {
  const [unit, length] = SPANS.find(([, one]) => seconds >= one) ?? SPANS[3]
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(locale, style).format(Math.floor(seconds / length))
}

function clockTime(seconds: number): string {
  const whole = Math.round(seconds)
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  const rest = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

/** Formats seconds; `formats` has one for each unit. */
function hoursOf(formats: readonly (() => Intl.NumberFormat)[], seconds: number): string {
  const index = TIME_UNITS.findIndex(({ from }) => seconds >= from)
  return formats[index]?.().format(seconds / (TIME_UNITS[index]?.size ?? 1)) ?? ''
}
