import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Audience, AudienceTotals } from '../../api/audience.ts'
import { useFormats } from '../../parts/text/formats.ts'
import { Change } from './change.tsx'
import { Definition } from './definition.tsx'
import { isCharted, METRIC_FACTS } from './metrics.ts'
import classes from './numbers.module.css'
import { METRICS, type Metric } from './search.ts'
import { useAudienceWords } from './words.ts'

interface Props {
  audience: Audience
  /** The metric of the chart. */
  chosen: Metric
}

/** The numbers of a time, each with its change. One that has a series is a link that shows it in the chart. */
export const Cards = ({ audience, chosen }: Props) => (
  <ul className={classes.cards}>
    {METRICS.map((metric) => (
      <Card key={metric} metric={metric} audience={audience} isChosen={metric === chosen} />
    ))}
  </ul>
)

interface CardProps {
  metric: Metric
  audience: Audience
  isChosen: boolean
}

function Card({ metric, audience, isChosen }: CardProps) {
  const words = useAudienceWords()
  const name = words.metrics[metric]
  const { totals, previous_totals: previous, interval } = audience
  const { definitions, valueOf } = METRIC_FACTS[metric]
  return (
    <li className={classes.number} data-chosen={isChosen || undefined}>
      <div className={classes.name}>
        {isCharted(metric, interval) ? (
          <Link
            to="."
            search={(now) => ({ ...now, metric })}
            replace
            resetScroll={false}
            aria-current={isChosen ? 'true' : undefined}
          >
            {name}
            {isChosen && <VisuallyHidden> ({words.shown})</VisuallyHidden>}
          </Link>
        ) : (
          <span>{name}</span>
        )}
        <Definition name={name} definitions={definitions} />
      </div>
      <Value metric={metric} totals={totals} />
      <Change metric={metric} now={valueOf(totals)} before={valueOf(previous)} />
    </li>
  )
}

function Value({ metric, totals }: { metric: Metric; totals: AudienceTotals }) {
  const formats = useFormats()
  const { valueOf, noteOf, text } = METRIC_FACTS[metric]
  const value = valueOf(totals)
  const note = noteOf?.(totals, formats) ?? null
  const isEstimate = metric === 'viewers' && !totals.is_viewers_exact && totals.viewers > 0
  return (
    <div className={classes.value}>
      <strong>
        {isEstimate && '≈ '}
        {value === null ? '–' : formats[text](value)}
      </strong>
      {note !== null && <span>{note}</span>}
    </div>
  )
}
