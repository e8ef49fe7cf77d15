import { Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { OTHER_VALUE } from '../../../../domain/audience/breakdown.ts'
import {
  breakdownQuery,
  type AudienceTotals,
  type AudienceValue,
  type BreakdownKind,
  type Days,
} from '../../api/audience.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import layout from '../../parts/layout.module.css'
import { Section } from '../../parts/section.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { LongText } from '../../parts/text/long-text.tsx'
import classes from './audience.module.css'
import { Definition } from './definition.tsx'
import { ErrorHelp, ErrorValue } from './errors.tsx'
import type { AudienceWords } from './locales/en.ts'
import { useAudienceWords } from './words.ts'

/** The kinds that are shown, in order. */
export const SHOWN_KINDS = ['host', 'browser', 'system', 'quality', 'speed', 'error'] as const

const ROWS = 6

interface Props {
  account: string
  days: Days
  /** Absent for all videos. */
  video?: string
  totals: AudienceTotals
}

/** The plays by site, browser and the like, as tables with a bar in each row. */
export const Breakdowns = (props: Props) => (
  <div className={classes.breakdowns}>
    {SHOWN_KINDS.map((kind) => (
      <Breakdown key={kind} kind={kind} {...props} />
    ))}
  </div>
)

function Breakdown({ account, days, video, totals, kind }: Props & { kind: BreakdownKind }) {
  const words = useAudienceWords()
  const { data, error, refetch } = useQuery(breakdownQuery(account, { ...days, video }, kind))
  const title = words.kinds[kind as keyof AudienceWords['kinds']]
  return (
    <Section className={layout.card} title={title}>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {data && data.length > 0 && (
        <Values title={title} kind={kind} values={data} totals={totals} />
      )}
      {kind === 'error' && data && data.length > 0 && <ErrorHelp account={account} />}
      {data?.length === 0 && (
        <p className={classes.none}>{kind === 'error' ? words.noErrors : words.nothing}</p>
      )}
      {!data && !error && <Skeleton height={150} aria-hidden />}
    </Section>
  )
}

interface ValuesProps {
  title: string
  kind: BreakdownKind
  values: readonly AudienceValue[]
  totals: AudienceTotals
}

/** Of what each value has a share: errors of plays and failed starts, all others of the plays of their kind. */
function wholeOf({ kind, values, totals }: Omit<ValuesProps, 'title'>): number {
  const { errors, error_rate: rate } = totals
  if (kind === 'error' && rate !== null && rate > 0) return errors / rate
  return values.reduce((sum, { plays }) => sum + plays, 0)
}

function Values({ title, kind, values, totals }: ValuesProps) {
  const words = useAudienceWords()
  const formats = useFormats()
  const [areAll, setAll] = useState(false)
  const all = wholeOf({ kind, values, totals })
  const most = values[0]?.plays ?? 1
  const shown = areAll ? values : values.slice(0, ROWS)
  return (
    <>
      <table className={classes.values} aria-label={title} data-kind={kind}>
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>{title}</VisuallyHidden>
            </th>
            <th scope="col">{kind === 'error' ? words.sessions : words.metrics.plays}</th>
            <th scope="col">
              <span className={classes.titled}>
                {words.share}
                {kind === 'error' && <Definition name={words.share} definitions={['error_rate']} />}
              </span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ value, plays }) => (
            <tr key={value}>
              <th scope="row">
                <div className={classes.bar} style={{ inlineSize: `${(100 * plays) / most}%` }} />
                {kind === 'error' && value !== OTHER_VALUE ? (
                  <ErrorValue error={value} />
                ) : (
                  <LongText>{valueText(kind, value, words)}</LongText>
                )}
              </th>
              <td>{formats.number(plays)}</td>
              <td>{formats.share(plays / all)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {values.length > ROWS && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.more}
          onClick={() => setAll(!areAll)}
        >
          {areAll ? words.fewer : interpolate(words.all, { number: formats.number(values.length) })}
        </Button>
      )}
    </>
  )
}

/** A value as it is shown; what is missing and what was put together in words. */
function valueText(kind: BreakdownKind, value: string, words: AudienceWords): string {
  if (value === 'unknown') return words.unknown
  if (value === OTHER_VALUE) return words.others
  return kind === 'speed' ? `${value}×` : value
}
