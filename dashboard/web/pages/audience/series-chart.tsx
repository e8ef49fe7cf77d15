import type { Audience } from '../../api/audience.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { Chart } from '../../parts/charts/chart.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { useNow } from '../../parts/text/now.ts'
import { METRIC_FACTS } from './metrics.ts'
import type { Metric } from './search.ts'
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

/** A metric over the hours, days or months of a time, in UTC wherever the member is. */
export function SeriesChart({ audience, before, metric }: Props) {
  const { interval, totals } = audience
  const now = useNow()
  // Today has hours that have not come yet.
  const series = audience.series.filter(({ start }) => Date.parse(start) <= now)
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
  const timeText = {
    hour: (timeMs: number) => formats.moment(timeMs, UTC),
    day: (timeMs: number) => formats.day(timeMs, UTC),
    month: formats.month,
  }[interval]
  return (
    <Chart
      title={interpolate(words.chart, { name })}
      startsMs={series.map(({ start }) => Date.parse(start))}
      series={[{ name, color: 'plain', values: series.map((point) => pointOf?.(point) ?? 0) }]}
      interval={interval}
      isArea={interval !== 'month'}
      valueSteps={text === 'number' ? undefined : TIME_STEPS}
      timeZone={UTC}
      texts={{ time: words.units[interval], zone: words.zone, asTable: words.asTable }}
      timeText={timeText}
      valueText={formats[text]}
      total={totalOf(totals)}
      compared={compared}
      isFrameless
    />
  )
}
