import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useLocale } from '../../locales/words.tsx'
import type { ChartForm, ChartSeries, ComparedSeries } from './chart-series.ts'

const HEIGHT_PX = 190
const VALUE_AXIS_PX = 64
const BAR_SHARE = 0.7
const BAR_MAX_PX = 36
const TIME_AXIS_PX = 28
/** Between two labels of the time axis. */
const LABEL_SPACE_PX = 72
const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS
const MONTH_SECONDS = 30.4 * DAY_SECONDS
/** Hours or days between two labels of the time axis. */
const STEPS = [1, 2, 3, 6, 7, 12, 14, 30, 60, 90]

interface Props extends ChartForm {
  startsMs: number[]
  series: ChartSeries[]
  compared?: ComparedSeries | undefined
  timeZone: string
  valueText: (value: number) => string
  /** The bar under the pointer, or null. */
  onPoint: (index: number | null) => void
  /** A bar that was clicked. */
  onOpen?: ((index: number) => void) | undefined
}

/** The drawing of a chart. uPlot sets styles on elements, which the policy allows. */
export function ChartCanvas(props: Props) {
  const place = useRef<HTMLDivElement>(null)
  const { language } = useLocale()
  const scheme = useComputedColorScheme()
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  // Drawn again when what it shows has changed, not when a parent renders.
  const { startsMs, series, compared, timeZone, interval, isArea, isOpenEnd } = props
  const form = [timeZone, interval, isArea, isOpenEnd, language, scheme]
  const facts = [startsMs, series, compared?.values, form]
  const shown = JSON.stringify(facts)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const { onPoint } = latest.current
    const plot = new uPlot(
      optionsOf(latest.current, element, `${language}-u-nu-latn`),
      dataOf(latest.current),
      element,
    )
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    )
    observer.observe(element)
    plot.over.addEventListener('pointerup', ({ pointerType, button }) => {
      const { idx } = plot.cursor
      // A finger points by its tap; the table opens for it.
      if (pointerType === 'mouse' && button === 0 && idx != null) latest.current.onOpen?.(idx)
    })
    return () => {
      observer.disconnect()
      plot.destroy()
      onPoint(null)
    }
  }, [shown, language])
  return <div ref={place} />
}

/** Sums from the bottom up: the bars of the larger sums are drawn first, behind the others. */
function dataOf(props: Props): uPlot.AlignedData {
  const { startsMs, series, compared } = props
  const sums = series.map((_, index) =>
    startsMs.map((_start, bar) =>
      series.slice(0, index + 1).reduce((sum, { values }) => sum + (values[bar] ?? 0), 0),
    ),
  )
  const line = compared ? [startsMs.map((_start, index) => compared.values[index] ?? null)] : []
  return [
    startsMs.map((ms) => ms / 1000),
    ...sums.toReversed().flatMap((sum) => endedAndOpen(sum, props)),
    ...line,
  ]
}

/** The values of what has ended, and those of an open end, which is drawn otherwise. A line goes on from the value before. */
function endedAndOpen(
  sum: number[],
  { isOpenEnd, isArea }: Pick<Props, 'isOpenEnd' | 'isArea'>,
): (number | null)[][] {
  if (!isOpenEnd) return [sum]
  const last = sum.length - 1
  const firstOpen = isArea ? last - 1 : last
  return [
    sum.map((value, index) => (index === last ? null : value)),
    sum.map((value, index) => (index < firstOpen ? null : value)),
  ]
}

function optionsOf(props: Props, element: HTMLElement, locale: string): uPlot.Options {
  const { timeZone, onPoint } = props
  const colorOf = (name: string): string =>
    getComputedStyle(element).getPropertyValue(`--chart-${name}`)
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    // Hours and days begin where they do in the zone, wherever this computer is.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), timeZone),
    legend: { show: false },
    cursor: { y: false, points: { show: props.isArea === true }, drag: { x: false, y: false } },
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    scales: {
      x: { range: () => timeRange(props) },
      y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.1)] },
    },
    axes: axesOf(props, locale, colorOf),
    series: [{}, ...seriesOf(props, colorOf), ...lineOf(props, colorOf)],
  }
}

const DASHES = [4, 4]

function lineOf({ compared }: Props, colorOf: (name: string) => string): uPlot.Series[] {
  if (!compared) return []
  const paths = uPlot.paths.linear?.()
  return [{ paths, points: { show: false }, stroke: colorOf('compared'), width: 1.5, dash: DASHES }]
}

/** Bars, or areas below a line. An open end is dashed. */
function seriesOf(props: Props, colorOf: (name: string) => string): uPlot.Series[] {
  const { series, isArea, isOpenEnd } = props
  const paths = isArea
    ? uPlot.paths.linear?.()
    : uPlot.paths.bars?.({ size: [BAR_SHARE, BAR_MAX_PX], radius: 0.2 })
  return series.toReversed().flatMap(({ color }) => {
    const area = { fill: colorOf(`${color}-area`), stroke: colorOf(color), width: 2 }
    const ended = {
      paths,
      points: { show: false },
      ...(isArea ? area : { fill: colorOf(color) }),
    }
    return isOpenEnd ? [ended, { ...ended, ...area, dash: DASHES }] : [ended]
  })
}

const STEP_SECONDS = { hour: HOUR_SECONDS, day: DAY_SECONDS, month: MONTH_SECONDS } as const

const stepOf = ({ interval }: Props): number => STEP_SECONDS[interval]

/** With room for half a bar at both ends. */
function timeRange(props: Props): [number, number] {
  const { startsMs, isArea } = props
  const half = isArea && startsMs.length > 1 ? 0 : stepOf(props) / 2
  return [(startsMs[0] ?? 0) / 1000 - half, (startsMs.at(-1) ?? 0) / 1000 + half]
}

function axesOf(props: Props, locale: string, colorOf: (name: string) => string): uPlot.Axis[] {
  const { fontFamily } = getComputedStyle(document.body)
  const axis = { stroke: colorOf('text'), ticks: { show: false }, font: `11px ${fontFamily}` }
  return [
    {
      ...axis,
      grid: { show: false },
      space: LABEL_SPACE_PX,
      size: TIME_AXIS_PX,
      incrs: STEPS.map((step) => step * stepOf(props)),
      // Months differ in length, so their labels stand at their beginnings.
      ...(props.interval === 'month' && { splits: (plot) => monthSplits(plot, props) }),
      values: timeLabels(locale, props),
    },
    {
      ...axis,
      grid: { stroke: colorOf('grid'), width: 1 },
      size: VALUE_AXIS_PX,
      ...(props.valueSteps && { incrs: [...props.valueSteps] }),
      values: (_plot, splits) =>
        splits.map((value) =>
          Number.isInteger(value) || props.valueSteps ? props.valueText(value) : '',
        ),
    },
  ]
}

/** The beginnings of as many months as have room. */
function monthSplits(plot: uPlot, { startsMs }: Props): number[] {
  const room = Math.max(1, Math.floor(plot.width / LABEL_SPACE_PX))
  const step = Math.ceil(startsMs.length / room)
  return startsMs.filter((_, index) => index % step === 0).map((ms) => ms / 1000)
}

const LABEL_PARTS = {
  hour: { hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: '2-digit' },
} as const

function timeLabels(locale: string, { timeZone, interval }: Props) {
  const format = new Intl.DateTimeFormat(locale, { ...LABEL_PARTS[interval], timeZone })
  return (_plot: uPlot, splits: number[]) => splits.map((seconds) => format.format(seconds * 1000))
}
