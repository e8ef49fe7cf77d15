import { summarize, type Pair } from './pairs.ts'

/** A measured figure and its anchor, both from the same run. */
export interface Figure {
  figure: string
  value: number
  unit: string
  /** The value that it is compared with, in `unit`; null for an absolute budget. */
  anchor: number | null
  /** Of the typical pair of value and anchor, or `value` without an anchor. */
  ratio: number
  /** Between which limits the ratio lies with 90 % confidence; null for a figure that was measured once. */
  spread: [number, number] | null
  /** How many pairs were measured. */
  samples: number
  /** Empty for a figure without a budget. */
  budget: string
  verdict: Verdict
}

/** `undecided`: the budget is within the spread, so the figure says nothing of it. */
export type Verdict = 'ok' | 'missed' | 'undecided' | 'none'

/** The fewest pairs that decide a budget. */
const PAIRS_MIN = 5

interface Anchored {
  anchor?: number | null
}

/** A figure whose ratio to its anchor, measured once, must be at most `most`. */
export const atMost = (
  figure: string,
  value: number,
  unit: string,
  { anchor = null, most }: Anchored & { most: number },
): Figure => {
  const one = once(figure, value, unit, anchor)
  return { ...one, budget: budget('≤', most, one), verdict: one.ratio <= most ? 'ok' : 'missed' }
}

/** A figure whose ratio to its anchor, measured once, must be at least `least`. */
export const atLeast = (
  figure: string,
  value: number,
  unit: string,
  { anchor = null, least }: Anchored & { least: number },
): Figure => {
  const one = once(figure, value, unit, anchor)
  return { ...one, budget: budget('≥', least, one), verdict: one.ratio >= least ? 'ok' : 'missed' }
}

/** A figure without a budget. */
export const asInformation = (
  figure: string,
  value: number,
  unit: string,
  { anchor = null }: Anchored = {},
): Figure => once(figure, value, unit, anchor)

/** A figure whose ratio to its anchor must be at most `most` in the typical pair. */
export function pairsAtMost(figure: string, pairs: readonly Pair[], unit: string, most: number) {
  const all = pairsAsInformation(figure, pairs, unit)
  const isWithin = (ratio: number): boolean => ratio <= most
  return { ...all, budget: budget('≤', most, all), verdict: decide(all, isWithin) }
}

/** A figure whose ratio to its anchor must be at least `least` in the typical pair. */
export function pairsAtLeast(figure: string, pairs: readonly Pair[], unit: string, least: number) {
  const all = pairsAsInformation(figure, pairs, unit)
  const isWithin = (ratio: number): boolean => ratio >= least
  return { ...all, budget: budget('≥', least, all), verdict: decide(all, isWithin) }
}

/** A figure of pairs without a budget. */
export const pairsAsInformation = (
  figure: string,
  pairs: readonly Pair[],
  unit: string,
): Figure => ({ figure, unit, ...summarize(pairs), budget: '', verdict: 'none' })

function decide({ spread, samples }: Figure, isWithin: (ratio: number) => boolean): Verdict {
  const [least, most] = spread ?? [Number.NaN, Number.NaN]
  if (samples < PAIRS_MIN || isWithin(least) !== isWithin(most)) return 'undecided'
  return isWithin(least) ? 'ok' : 'missed'
}

const once = (figure: string, value: number, unit: string, anchor: number | null): Figure => ({
  figure,
  value,
  unit,
  anchor,
  ratio: anchor === null ? value : value / anchor,
  spread: null,
  samples: 1,
  budget: '',
  verdict: 'none',
})

const budget = (sign: '≤' | '≥', limit: number, { anchor, unit }: Figure): string =>
  anchor === null ? `${sign} ${round(limit)} ${unit}`.trim() : `${sign} ${limit} ×`

const SHOWN: Record<Verdict, string> = {
  ok: 'ok',
  missed: 'MISSED',
  undecided: 'undecided',
  none: '',
}

/** Formats the figures as a table. */
export function table(figures: Figure[]): string {
  const rows = figures.map((f) => [
    f.figure,
    `${round(f.value)} ${f.unit}`,
    f.anchor === null ? '' : `${round(f.anchor)} ${f.unit}`,
    f.anchor === null ? '' : `${round(f.ratio)} ×`,
    f.spread === null ? '' : `${f.spread.map(round).join(' to ')}, ${f.samples} pairs`,
    f.budget,
    SHOWN[f.verdict],
  ])
  const all = [['figure', 'value', 'anchor', 'ratio', 'spread', 'budget', ''], ...rows]
  const widths =
    all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? []
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const round = (value: number): string => String(Math.round(value * 1000) / 1000)
