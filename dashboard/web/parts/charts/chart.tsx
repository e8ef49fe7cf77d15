import { lazy, Suspense, useState } from 'react'
import { interpolate } from '../../locales/interpolate.ts'
import type { ChartForm, ChartSeries, ComparedSeries } from './chart-series.ts'
import classes from './chart.module.css'

const ChartCanvas = lazy(async () => ({
  default: (await import('./chart-canvas.tsx')).ChartCanvas,
}))

interface TableTexts {
  /** The heading of the column of times, such as `Day`. */
  time: string
  asTable: string
}

interface ChartTexts extends TableTexts {
  /** Such as `Times in {zone}`. */
  zone: string
}

interface Props extends ChartForm {
  /** What the chart shows. */
  title: string
  /** Where the hours or days begin, in order. */
  startsMs: number[]
  series: ChartSeries[]
  /** All times of the chart are of this zone. */
  timeZone: string
  texts: ChartTexts
  timeText: (timeMs: number) => string
  valueText: (value: number) => string
  /** What all values come to, where that is not their sum. */
  total?: string
  compared?: ComparedSeries | undefined
  /** True within a card. */
  isFrameless?: boolean
  /** Shows more of an hour, day or month: by a click on it, and by a button in its row of the table. */
  onOpen?: ((index: number) => void) | undefined
}

/** Bars or areas over time. What is drawn can also be read: what is under the pointer as text, and all as a table. */
export function Chart(props: Props) {
  const { title, startsMs, series, compared, texts, timeZone, timeText } = props
  const [pointed, setPointed] = useState<number | null>(null)
  const pointedMs = pointed === null ? undefined : startsMs[pointed]
  return (
    <figure
      className={classes.chart}
      data-frameless={props.isFrameless || undefined}
      aria-label={title}
    >
      <figcaption className={classes.caption}>
        {series.map((one) => (
          <span key={one.name} className={classes.key} data-color={one.color}>
            {one.name}
            <ValueText {...props} values={one.values} pointed={pointed} />
          </span>
        ))}
        {compared && (
          <span className={classes.key} data-color="compared">
            {compared.name}
            <ValueText
              valueText={props.valueText}
              total={compared.total}
              values={compared.values}
              pointed={pointed}
            />
          </span>
        )}
        <span className={classes.when}>
          {pointedMs === undefined
            ? interpolate(texts.zone, { zone: timeZone })
            : timeText(pointedMs)}
        </span>
      </figcaption>
      <div
        className={classes.canvas}
        data-opens={props.onOpen !== undefined || undefined}
        dir="ltr"
        aria-hidden
      >
        <Suspense>
          <ChartCanvas {...props} onPoint={setPointed} />
        </Suspense>
      </div>
      <ChartTable {...props} series={compared ? [...series, compared] : series} />
    </figure>
  )
}

/** The value of the bar under the pointer, or of all. */
function ValueText({
  values,
  pointed,
  valueText,
  total,
}: Pick<Props, 'valueText' | 'total'> & { values: number[]; pointed: number | null }) {
  if (pointed !== null) return <strong>{valueText(values[pointed] ?? 0)}</strong>
  return <strong>{total ?? valueText(values.reduce((sum, one) => sum + one, 0))}</strong>
}

interface TableProps extends Pick<
  Props,
  'title' | 'startsMs' | 'timeText' | 'valueText' | 'onOpen'
> {
  series: readonly Pick<ChartSeries, 'name' | 'values'>[]
  texts: TableTexts
}

/** What a chart draws, as a table that opens. */
export const ChartTable = ({
  title,
  startsMs,
  series,
  texts,
  timeText,
  valueText,
  onOpen,
}: TableProps) => (
  <details className={classes.details}>
    <summary>{texts.asTable}</summary>
    <table aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{texts.time}</th>
          {series.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {startsMs.map((startMs, index) => (
          <tr key={startMs}>
            <th scope="row">
              {onOpen ? (
                <button type="button" className={classes.open} onClick={() => onOpen(index)}>
                  {timeText(startMs)}
                </button>
              ) : (
                timeText(startMs)
              )}
            </th>
            {series.map(({ name, values }) => (
              <td key={name}>{valueText(values[index] ?? 0)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </details>
)
