import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { rangeBefore } from '../../../../domain/audience/ranges.ts'
import { audienceQuery, type Audience } from '../../api/audience.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { useFormats } from '../../parts/text/formats.ts'
import audienceClasses from './audience.module.css'
import { Cards } from './cards.tsx'
import { Definition } from './definition.tsx'
import { hasSomething, isCharted } from './metrics.ts'
import classes from './numbers.module.css'
import { METRICS, type Metric } from './search.ts'
import { openedPart, SeriesChart } from './series-chart.tsx'
import { useAudienceWords } from './words.ts'

interface Props {
  account: string
  audience: Audience
  /** Absent for all videos. */
  video?: string
  metric: Metric | undefined
  /** True while the numbers of another time are still shown. */
  isOld: boolean
}

/** The numbers of a time, and the chart of one of them. */
export function Numbers({ account, audience, video, metric = 'plays', isOld }: Props) {
  const words = useAudienceWords()
  const { from, to, interval, previous_totals: previous } = audience
  const { data: before } = useQuery({
    ...audienceQuery(account, {
      ...rangeBefore(from, to),
      interval,
      ...(video !== undefined && { video }),
    }),
    enabled: hasSomething(previous),
    placeholderData: undefined,
  })
  const chosen = isCharted(metric, audience.interval) ? metric : 'plays'
  return (
    <section className={classes.panel} aria-label={words.title} aria-busy={isOld}>
      <Cards audience={audience} chosen={chosen} />
      <div className={classes.below}>
        <SeriesChart audience={audience} before={before} metric={chosen} />
        <Compared audience={audience} />
      </div>
    </section>
  )
}

/** What the numbers are compared with, and how they are counted. */
function Compared({ audience }: { audience: Audience }) {
  const { from, to, previous_totals: previous } = audience
  const opened = openedPart(audience)
  const words = useAudienceWords()
  const { day } = useFormats()
  const before = rangeBefore(from, to)
  const text = hasSomething(previous) ? words.compared : words.nothingBefore
  const days = { from: day(Date.parse(before.from), 'UTC'), to: day(Date.parse(before.to), 'UTC') }
  return (
    <p className={audienceClasses.note}>
      <span>{interpolate(text, days)}</span>
      <span className={audienceClasses.titled}>
        {words.utc}
        <Definition name={words.utc} definitions={['time']} />
      </span>
      {opened !== null && <span>{words.opens[opened]}</span>}
    </p>
  )
}

/** The place of the numbers and of the chart. */
export const NumbersSkeleton = () => (
  <div className={classes.panel} aria-hidden>
    <div className={classes.cards}>
      {METRICS.map((metric) => (
        <div key={metric} className={classes.number}>
          <Skeleton height={18} width="70%" />
          <Skeleton height={26} width="50%" />
          <Skeleton height={14} width="30%" />
        </div>
      ))}
    </div>
    <div className={classes.below}>
      <Skeleton height={260} />
    </div>
  </div>
)
