/** One measured figure beside its anchor, both from the same run (design, section 9). */
export interface Figure {
  figure: string
  value: number
  unit: string
  /** What it is held against, in `unit`; null for an absolute budget. */
  anchor: number | null
  /** `value / anchor`, or `value` where there is no anchor. */
  ratio: number
  /** Empty where there is none: the figure is there to be known. */
  budget: string
  ok: boolean
}

/** A figure whose ratio to its anchor may be `most` at most. */
export function atMost(
  figure: string,
  value: number,
  unit: string,
  { anchor = null, most }: { anchor?: number | null; most: number },
): Figure {
  const ratio = anchor === null ? value : value / anchor
  const budget = anchor === null ? `≤ ${most} ${unit}` : `≤ ${most} ×`
  return { figure, value, unit, anchor, ratio, budget, ok: ratio <= most }
}

/** A figure whose ratio to its anchor must be `least` at least. */
export function atLeast(
  figure: string,
  value: number,
  unit: string,
  { anchor, least }: { anchor: number; least: number },
): Figure {
  const ratio = value / anchor
  return { figure, value, unit, anchor, ratio, budget: `≥ ${least} ×`, ok: ratio >= least }
}

/** A figure beside its anchor that no budget holds. */
export function asInformation(
  figure: string,
  value: number,
  unit: string,
  { anchor }: { anchor: number },
): Figure {
  return { figure, value, unit, anchor, ratio: value / anchor, budget: '', ok: true }
}

/** The figures as a table for people. */
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
  const widths = all[0]?.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0))) ?? []
  return all
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const round = (value: number): string => String(Math.round(value * 1000) / 1000)
