import { PARTS } from './session-measures.ts'
import { withoutShortest } from './without-shortest.ts'

/** Pieces of a video in its order, in seconds. No two touch. */
export type Spans = readonly Span[]

type Span = readonly [from: number, to: number]

/** What was shown of a video. */
export interface Watched {
  /** At least once. */
  once: Spans
  /** At least twice. */
  again: Spans
}

export const NOTHING_WATCHED: Watched = { once: [], again: [] }

const PARTS_PER_DIGIT = 4
/** Of a part, in seconds: times are sums of binary fractions. */
const ROUNDING = 1e-6
/** More than a viewer makes. The shortest of more is forgotten. */
const SPANS_MAX = 500

/** Adds what was shown from one position to another, in seconds. */
export function watch({ once, again }: Watched, from: number, to: number): Watched {
  if (from >= to) return { once, again }
  const repeated = once
    .map(([start, end]): Span => [Math.max(start, from), Math.min(end, to)])
    .filter(([start, end]) => start < end)
  return { once: join(once, [from, to]), again: repeated.reduce(join, again) }
}

function join(spans: Spans, added: Span): Spans {
  let [from, to] = added
  const before = spans.filter(([, end]) => end < from)
  const after = spans.filter(([start]) => start > to)
  const first = spans[before.length]
  const last = spans[spans.length - after.length - 1]
  if (before.length + after.length < spans.length && first && last) {
    from = Math.min(from, first[0])
    to = Math.max(to, last[1])
  }
  const joined: Spans = [...before, [from, to], ...after]
  return joined.length > SPANS_MAX ? withoutShortest(joined, lengthOf) : joined
}

const lengthOf = ([from, to]: Span): number => to - from

/**
 * Returns the hundredths of a video of which at least half was shown: 25 hex digits, in which the highest bit of the first
 * is the first hundredth. Returns null if there are none, or if the duration is no finite number above 0.
 */
export function partsOf(spans: Spans, durationSeconds: number): string | null {
  if (!(durationSeconds > 0 && durationSeconds < Infinity)) return null
  const length = durationSeconds / PARTS
  const isShown = (part: number): boolean =>
    secondsWithin(spans, part * length, (part + 1) * length) >= length / 2 - ROUNDING
  let digits = ''
  for (let part = 0; part < PARTS; part += PARTS_PER_DIGIT) {
    let digit = 0
    for (let bit = 0; bit < PARTS_PER_DIGIT; bit++) digit = digit * 2 + Number(isShown(part + bit))
    digits += digit.toString(16)
  }
  return /[^0]/.test(digits) ? digits : null
}

const secondsWithin = (spans: Spans, from: number, to: number): number =>
  spans.reduce(
    (sum, [start, end]) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)),
    0,
  )
