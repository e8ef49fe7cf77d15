import { monthAfter } from '../../../../domain/audience/ranges.ts'
import { utcDay } from '../../../../domain/timestamps.ts'
import type { Audience, Days } from '../../api/audience.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { Chart } from '../../parts/charts/chart.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { useNow } from '../../parts/text/now.ts'
import { METRIC_FACTS } from './metrics.ts'
import type { Metric } from './search.ts'
import { useShowTime } from './show-time.ts'
import { useAudienceWords } from './words.ts'

const UTC = 'UTC'
const MINUTE = 60
const HOUR = 60 * MINUTE
/** Between labels of values in seconds. */
const TIME_STEPS = [1, 2, 5, 10, 20, 30]
  .flatMap((step) => [step, step * MINUTE])
  .concat([1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000].map((step) => step * HOUR))
  .toSorted((one, other) => one - other)

interface Props {
  audience: Audience
  /** Of the time before; undefined if there is nothing to compare with. */
  before: Audience | undefined
  metric: Metric
}

const DAY_MS = 24 * HOUR * 1000

/** Where an hour, day or month ends. */
function endMs(startMs: number, interval: Audience['interval']): number {
  if (interval === 'hour') return startMs + HOUR * 1000
  if (interval === 'day') return startMs + DAY_MS
  return Date.parse(monthAfter(utcDay(startMs)))
}

/** The parts of the chart that can be shown alone; null if there are none. */
export const openedPart = ({ interval, from, to }: Audience): 'day' | 'month' | null =>
  interval === 'hour' || from === to ? null : interval

/** The days of a part of the chart. */
function partOf({ series, interval, from, to }: Audience, index: number): Days {
  const start = Date.parse(series[index]?.start ?? from)
  const [first, last] = [utcDay(start), utcDay(endMs(start, interval) - DAY_MS)]
  return { from: first < from ? from : first, to: last > to ? to : last }
}

/** A metric over the hours, days or months of a time, in UTC wherever the member is. */
export function SeriesChart({ audience, before, metric }: Props) {
  const { interval, totals } = audience
  const show = useShowTime()
  const now = useNow()
  // Today has hours that have not come yet.
  const series = audience.series.filter(({ start }) => Date.parse(start) <= now)
  const startsMs = series.map(({ start }) => Date.parse(start))
  const lastMs = startsMs.at(-1) ?? 0
  const isOpenEnd = lastMs > 0 && endMs(lastMs, interval) > now
  const words = useAudienceWords()
  const formats = useFormats()
  const { pointOf, valueOf, text } = METRIC_FACTS[metric]
  const name = words.metrics[metric]
  const totalOf = (one: Audience['totals']): string => {
    const total = valueOf(one)
    return total === null ? '–' : formats[text](total)
  }
  const compared = before && {
    name: words.before,
    // A month more or less has no place.
    values: before.series.slice(0, series.length).map((point) => pointOf?.(point) ?? 0),
    total: totalOf(before.totals),
  }
  const startText = {
    hour: (timeMs: number) => formats.moment(timeMs, UTC),
    day: (timeMs: number) => formats.day(timeMs, UTC),
    month: formats.month,
  }[interval]
  return (
    <Chart
      title={interpolate(words.chart, { name })}
      startsMs={startsMs}
      series={[{ name, color: 'plain', values: series.map((point) => pointOf?.(point) ?? 0) }]}
      interval={interval}
      // One point is no line.
      isArea={interval !== 'month' && series.length > 1}
      isOpenEnd={isOpenEnd}
      valueSteps={text === 'number' ? undefined : TIME_STEPS}
      timeZone={UTC}
      texts={{ time: words.units[interval], zone: words.zone, asTable: words.asTable }}
      timeText={(timeMs) =>
        isOpenEnd && timeMs === lastMs
          ? interpolate(words.soFar, { time: startText(timeMs) })
          : startText(timeMs)
      }
      valueText={formats[text]}
      total={totalOf(totals)}
      compared={compared}
      isFrameless
      onOpen={openedPart(audience) === null ? undefined : (index) => show(partOf(audience, index))}
    />
  )
}
