import type { Usage } from '../../api/usage.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { Chart } from '../../parts/charts/chart.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { useUsageWords } from './words.ts'

const UTC = 'UTC'

/** Two charts over the same days, which are counted in UTC wherever the member is. */
export function UsageCharts({ usage: { days } }: { usage: Usage }) {
  const { usage: texts } = useUsageWords()
  const { bytes, day, number } = useFormats()
  const minutes = (value: number): string => interpolate(texts.minutes, { number: number(value) })
  const facts = {
    startsMs: days.map(({ date }) => Date.parse(date)),
    interval: 'day',
    timeZone: UTC,
    texts: { time: texts.day, zone: texts.zone, asTable: texts.asTable },
    timeText: (timeMs: number) => day(timeMs, UTC),
  } as const
  const seriesOf = (name: string, values: number[]) => [{ name, color: 'plain', values } as const]
  return (
    <>
      <Chart
        {...facts}
        title={texts.served}
        series={seriesOf(
          texts.served,
          days.map((one) => one.served_bytes),
        )}
        valueText={bytes}
      />
      <Chart
        {...facts}
        title={texts.encoded}
        series={seriesOf(
          texts.encoded,
          days.map((one) => one.encoded_minutes),
        )}
        valueText={minutes}
      />
    </>
  )
}
