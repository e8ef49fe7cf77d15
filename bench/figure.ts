/** A measured figure and its anchor, both from the same run. */
export interface Figure {
  figure: string
  value: number
  unit: string
  /** The value that it is compared with, in `unit`; null for an absolute budget. */
  anchor: number | null
  /** `value / anchor`, or `value` without an anchor. */
  ratio: number
  /** Empty for a figure without a budget. */
  budget: string
  ok: boolean
}

/** A figure whose ratio to its anchor must be at most `most`. */
export function atMost(
  figure: string,
  value: number,
  unit: string,
  { anchor = null, most }: { anchor?: number | null; most: number },
): Figure {
  const ratio = anchor === null ? value : value / anchor
  const budget = anchor === null ? `≤ ${round(most)} ${unit}`.trim() : `≤ ${most} ×`
  return { figure, value, unit, anchor, ratio, budget, ok: ratio <= most }
}

/** A figure whose ratio to its anchor must be at least `least`. */
export function atLeast(
  figure: string,
  value: number,
  unit: string,
  { anchor = null, least }: { anchor?: number | null; least: number },
): Figure {
  const ratio = anchor === null ? value : value / anchor
  const budget = anchor === null ? `≥ ${least} ${unit}`.trim() : `≥ ${least} ×`
  return { figure, value, unit, anchor, ratio, budget, ok: ratio >= least }
}

/** A figure without a budget. */
export function asInformation(
  figure: string,
  value: number,
  unit: string,
  { anchor = null }: { anchor?: number | null } = {},
): Figure {
  const ratio = anchor === null ? value : value / anchor
  return { figure, value, unit, anchor, ratio, budget: '', ok: true }
}

/** Formats the figures as a table. */
export function table(figures: Figure[]): string {
  const rows = figures.map((f) => [
    f.figure,
    `${round(f.value)} ${f.unit}`,
    f.anchor === null ? '' : `${round(f.anchor)} ${f.unit}`,
    f.anchor === null ? '' : `${round(f.ratio)} ×`,
    f.budget,
    f.budget === '' ? '' : f.ok ? 'ok' : 'MISSED',
  ])
  const all = [['figure', 'value', 'anchor', 'ratio', 'budget', ''], ...rows]
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
