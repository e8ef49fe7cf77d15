import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useSpeech } from '../words/words.tsx'
import type { ChartSeries } from './chart.tsx'

const HEIGHT_PX = 190
const VALUE_AXIS_PX = 64
const BAR_SHARE = 0.7
const BAR_MAX_PX = 36
const TIME_AXIS_PX = 28
const DAY_SECONDS = 86_400
/** Hours or days between two labels of the time axis. */
const STEPS = [1, 2, 3, 6, 7, 12, 14, 30, 60, 90]

interface Props {
  startsMs: number[]
  series: ChartSeries[]
  interval: 'hour' | 'day'
  timeZone: string
  valueText: (value: number) => string
  /** The bar under the pointer, or null. */
  onPoint: (index: number | null) => void
}

/** The drawing of a chart. uPlot sets styles on elements, which the policy allows. */
export function ChartCanvas(props: Props) {
  const place = useRef<HTMLDivElement>(null)
  const { language } = useSpeech()
  const scheme = useComputedColorScheme()
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  // Drawn again when what it shows has changed, not when a parent renders.
  const shown = JSON.stringify([props.startsMs, props.series, props.timeZone, language, scheme])
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
    return () => {
      observer.disconnect()
      plot.destroy()
      onPoint(null)
    }
  }, [shown, language])
  return <div ref={place} />
}

/** Sums from the bottom up: the bars of the larger sums are drawn first, behind the others. */
function dataOf({ startsMs, series }: Props): uPlot.AlignedData {
  const sums = series.map((_, index) =>
    startsMs.map((_start, bar) =>
      series.slice(0, index + 1).reduce((sum, { values }) => sum + (values[bar] ?? 0), 0),
    ),
  )
  return [startsMs.map((ms) => ms / 1000), ...sums.toReversed()]
}

function optionsOf(
  { series, startsMs, interval, timeZone, valueText, onPoint }: Props,
  element: HTMLElement,
  locale: string,
): uPlot.Options {
  const color = (name: string): string => getComputedStyle(element).getPropertyValue(name)
  const paths = uPlot.paths.bars?.({ size: [BAR_SHARE, BAR_MAX_PX], radius: 0.2 })
  const stepSeconds = interval === 'hour' ? DAY_SECONDS / 24 : DAY_SECONDS
  const axis = { stroke: color('--chart-text'), ticks: { show: false }, font: '11px system-ui' }
  const grid = { stroke: color('--chart-grid'), width: 1 }
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    // Hours and days begin where they do in the zone, wherever this computer is.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), timeZone),
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    scales: {
      x: {
        range: () => [
          (startsMs[0] ?? 0) / 1000 - stepSeconds / 2,
          (startsMs.at(-1) ?? 0) / 1000 + stepSeconds / 2,
        ],
      },
      y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 72,
        size: TIME_AXIS_PX,
        incrs: STEPS.map((step) => step * stepSeconds),
        values: timeLabels(locale, timeZone, interval),
      },
      {
        ...axis,
        grid,
        size: VALUE_AXIS_PX,
        values: (_plot, splits) =>
          splits.map((value) => (Number.isInteger(value) ? valueText(value) : '')),
      },
    ],
    series: [
      {},
      ...series
        .toReversed()
        .map((one) => ({ paths, fill: color(`--chart-${one.color}`), points: { show: false } })),
    ],
  }
}

function timeLabels(locale: string, timeZone: string, interval: 'hour' | 'day') {
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone })
  const hour = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone })
  const format = interval === 'hour' ? hour : day
  return (_plot: uPlot, splits: number[]) => splits.map((seconds) => format.format(seconds * 1000))
}
