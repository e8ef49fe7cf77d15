import { Skeleton } from '@mantine/core'
import { rangeBefore } from '../../../../domain/audience/ranges.ts'
import type { Audience } from '../../api/audience.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { useFormats } from '../../parts/text/formats.ts'
import classes from './audience.module.css'
import { Cards } from './cards.tsx'
import { Definition } from './definition.tsx'
import { hasSomething, isCharted } from './metrics.ts'
import type { Metric } from './search.ts'
import { SeriesChart } from './series-chart.tsx'
import { useAudienceWords } from './words.ts'

interface Props {
  audience: Audience
  metric: Metric | undefined
  /** True while the numbers of another time are still shown. */
  isOld: boolean
}

/** The numbers of a time, and the chart of one of them. */
export function Numbers({ audience, metric = 'plays', isOld }: Props) {
  const words = useAudienceWords()
  const chosen = isCharted(metric, audience.interval) ? metric : 'plays'
  return (
    <section className={classes.panel} aria-label={words.title} aria-busy={isOld}>
      <Cards audience={audience} chosen={chosen} />
      <div className={classes.below}>
        <SeriesChart audience={audience} metric={chosen} />
        <Compared audience={audience} />
      </div>
    </section>
  )
}

/** What the numbers are compared with, and how they are counted. */
function Compared({ audience: { from, to, previous_totals: previous } }: { audience: Audience }) {
  const words = useAudienceWords()
  const { day } = useFormats()
  const before = rangeBefore(from, to)
  const text = hasSomething(previous) ? words.compared : words.nothingBefore
  const days = { from: day(Date.parse(before.from), 'UTC'), to: day(Date.parse(before.to), 'UTC') }
  return (
    <p className={classes.note}>
      {interpolate(text, days)} {words.utc}
      <Definition name={words.utc} definitions={['time']} />
    </p>
  )
}

/** As high as the numbers on a wide page. */
export const NumbersSkeleton = () => <Skeleton height={470} radius="lg" aria-hidden />
