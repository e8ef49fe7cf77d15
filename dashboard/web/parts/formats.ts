import { useMemo } from 'react'
import type { Language } from '../../../domain/language.ts'
import { useTimeZone } from '../shell/time-zone.tsx'
import { useSpeech } from '../words/words.tsx'

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

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

/** How values read in one language and one time zone. */
export interface Formats {
  /** Such as `5 minutes ago`. */
  relative: (timeMs: number, nowMs: number) => string
  /** Such as `22 Nov 2026, 14:05:10 CET`. */
  exact: (timeMs: number) => string
  /** The day, such as `22 Nov 2026`, in the time zone or in another one. */
  day: (timeMs: number, zone?: string) => string
  /** Such as `22 Nov, 14:00`. */
  moment: (timeMs: number) => string
  /** In decimal units, such as `48.2 MB`. */
  bytes: (bytes: number) => string
  /** From bits a second, such as `2.4 Mb/s`. */
  bitRate: (bitsPerSecond: number) => string
  /** Such as `1:01:40`. */
  duration: (seconds: number) => string
  /** From a share of 1. */
  percent: (share: number) => string
  number: (value: number) => string
}

/** The formats of the page's language and time zone. Digits are Latin everywhere, as in ids and code. */
export function useFormats(): Formats {
  const { language } = useSpeech()
  const { zone } = useTimeZone()
  return useMemo(() => formatsOf(language, zone), [language, zone])
}

function formatsOf(language: Language, timeZone: string): Formats {
  const locale = `${language}-u-nu-latn`
  const number = once(() => new Intl.NumberFormat(locale))
  const percent = once(() => new Intl.NumberFormat(locale, { style: 'percent' }))
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
  const exact = once(
    () => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long', timeZone }),
  )
  const moment = once(() => new Intl.DateTimeFormat(locale, { ...MOMENT, timeZone }))
  return {
    relative: (timeMs, nowMs) => relativeTo(relative(), timeMs - nowMs),
    exact: (timeMs) => exact().format(timeMs),
    day: (timeMs, zone = timeZone) =>
      new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: zone }).format(timeMs),
    moment: (timeMs) => moment().format(timeMs),
    bytes: (bytes) => inUnits(locale, bytes),
    bitRate: (bitsPerSecond) => bitRate(locale, bitsPerSecond),
    duration: clockTime,
    percent: (share) => percent().format(share),
    number: (value) => number().format(value),
  }
}

/** Makes a value when it is first used: each format costs milliseconds, and a page uses few of them. */
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

function inUnits(locale: string, bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), BYTE_UNITS.length - 1)
  const unit = BYTE_UNITS[step] ?? 'byte'
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(locale, options).format(bytes / 1000 ** step)
}

function bitRate(locale: string, bitsPerSecond: number): string {
  const isMega = bitsPerSecond >= 1_000_000
  const unit = isMega ? 'megabit-per-second' : 'kilobit-per-second'
  const options = { style: 'unit', unit, maximumFractionDigits: isMega ? 1 : 0 } as const
  return new Intl.NumberFormat(locale, options).format(bitsPerSecond / (isMega ? 1e6 : 1e3))
}

function clockTime(seconds: number): string {
  const whole = Math.round(seconds)
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  const rest = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}
