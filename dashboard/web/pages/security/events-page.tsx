import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { eventsQuery, type EventsFilter, type FoundEvents } from '../../api/security.ts'
import { IconSearchOff, IconShieldCheck } from '../../icons/icons.tsx'
import { Chart } from '../../parts/charts/chart.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { ButtonLink } from '../../parts/links/links.tsx'
import { TableSkeleton } from '../../parts/lists/data-table.tsx'
import { Pager } from '../../parts/lists/pager.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { useTimeZone } from '../../shell/time-zone.tsx'
import { EventFilters } from './event-filters.tsx'
import { EventsTable } from './events-table.tsx'
import { ExportEvents } from './export-events.tsx'
import classes from './security.module.css'
import { useSecurityWords } from './words.ts'

const route = getRouteApi('/accounts/$account/security/events')

/** What was refused and what was tampered with: a chart and a list of the same events. */
function EventsPage() {
  const { events } = useSecurityWords()
  const { account } = route.useParams()
  const filter = route.useSearch()
  const { zone } = useTimeZone()
  const { data, error, refetch } = useQuery(eventsQuery(account, filter, zone))
  return (
    <>
      <PageHeader
        title={events.title}
        actions={data && data.total > 0 && <ExportEvents account={account} filter={filter} />}
      />
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      <EventFilters found={data} />
      {data && <Events account={account} filter={filter} found={data} />}
      {!data && !error && (
        <div className={classes.stack}>
          <Skeleton height={270} radius="lg" />
          <TableSkeleton />
        </div>
      )}
    </>
  )
}

interface Props {
  account: string
  filter: EventsFilter
  found: FoundEvents
}

function Events({ account, filter, found }: Props) {
  if (found.total === 0) return <NoEvents account={account} filter={filter} />
  return (
    <div className={classes.stack}>
      <EventsChart found={found} />
      <EventsTable events={found.data} />
      <Pager page={found} cursors={filter} />
    </div>
  )
}

function EventsChart({ found: { buckets, interval } }: { found: FoundEvents }) {
  const { events } = useSecurityWords()
  const { zone } = useTimeZone()
  const { day, moment, number } = useFormats()
  return (
    <Chart
      title={events.chart}
      startsMs={buckets.map(({ start }) => Date.parse(start))}
      series={[
        { name: events.high, color: 'high', values: buckets.map(({ high }) => high) },
        { name: events.medium, color: 'medium', values: buckets.map((one) => one.medium) },
        { name: events.low, color: 'low', values: buckets.map(({ low }) => low) },
      ]}
      interval={interval}
      timeZone={zone}
      texts={{ time: events[interval], zone: events.zone, asTable: events.asTable }}
      timeText={interval === 'hour' ? moment : day}
      valueText={number}
    />
  )
}

function NoEvents({ account, filter }: Omit<Props, 'found'>) {
  const { events, clear } = useSecurityWords()
  const { range, ...properties } = filter
  if (Object.values(properties).every((value) => value === undefined))
    return (
      <EmptyState
        icon={IconShieldCheck}
        sample="chart"
        title={events.emptyTitle}
        text={events.emptyText}
      />
    )
  return (
    <EmptyState icon={IconSearchOff} title={events.noneTitle} text={events.noneText}>
      <ButtonLink
        variant="default"
        to="/accounts/$account/security/events"
        params={{ account }}
        search={{ range }}
      >
        {clear}
      </ButtonLink>
    </EmptyState>
  )
}

export const eventsRoute = createLazyRoute('/accounts/$account/security/events')({
  component: EventsPage,
})
