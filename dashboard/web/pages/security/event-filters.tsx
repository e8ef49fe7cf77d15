import { getRouteApi } from '@tanstack/react-router'
import { TIME_RANGES } from '../../../../domain/time-buckets.ts'
import { SECURITY_SEVERITIES } from '../../../../domain/webhooks/events.ts'
import { DEFAULT_RANGE, type FoundEvents } from '../../api/security.ts'
import { Choice } from '../../parts/forms/choice.tsx'
import { FilterTab, FilterTabs } from '../../parts/lists/filter-tabs.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { typeText } from './event-words.ts'
import { FilterChips } from './filter-link.tsx'
import classes from './security.module.css'
import { useSecurityWords } from './words.ts'

const route = getRouteApi('/accounts/$account/security/events')

const FIRST_PAGE = { after: undefined, before: undefined }

interface Props {
  /** Absent while the first page loads. */
  found: FoundEvents | undefined
}

/** Time, severity, type and values. All of them are in the address; a changed filter begins at the first page. */
export function EventFilters({ found }: Props) {
  const { events } = useSecurityWords()
  const { range = DEFAULT_RANGE, ...filter } = route.useSearch()
  const navigate = route.useNavigate()
  const chosenVideo = found?.data.find(({ video_id: id }) => id === filter.video)
  return (
    <div className={classes.filters}>
      <Choice
        aria-label={events.range}
        value={range}
        options={TIME_RANGES.map((one) => [one, events.ranges[one]])}
        onChoose={(chosen) =>
          void navigate({ search: (now) => ({ ...now, ...FIRST_PAGE, range: chosen }) })
        }
      />
      <TypeChoice found={found} />
      <SeverityTabs found={found} />
      <FilterChips filter={filter} videoTitle={chosenVideo?.video_title} />
    </div>
  )
}

function TypeChoice({ found }: Props) {
  const words = useSecurityWords()
  const { number } = useFormats()
  const { type } = route.useSearch()
  const navigate = route.useNavigate()
  const known = found?.types ?? []
  const isMissing = type !== undefined && !known.some((one) => one.event_type === type)
  const types = isMissing ? [...known, { event_type: type, count: 0 }] : known
  return (
    <Choice
      aria-label={words.events.type}
      value={type}
      any={words.events.anyType}
      options={types.map(({ event_type: one, count }) => [
        one,
        `${typeText(one, words)} (${number(count)})`,
      ])}
      onChoose={(chosen) =>
        void navigate({ search: (now) => ({ ...now, ...FIRST_PAGE, type: chosen }) })
      }
    />
  )
}

function SeverityTabs({ found }: Props) {
  const { events, columns } = useSecurityWords()
  const { account } = route.useParams()
  const { severity: chosen } = route.useSearch()
  const counts = found?.severities
  const all = counts && counts.low + counts.medium + counts.high
  return (
    <FilterTabs label={columns.severity}>
      {[undefined, ...SECURITY_SEVERITIES.toReversed()].map((severity) => (
        <FilterTab
          key={severity ?? 'all'}
          from="/accounts/$account/security/events"
          to="/accounts/$account/security/events"
          params={{ account }}
          search={(now) => ({ ...now, ...FIRST_PAGE, severity })}
          activeOptions={{ exact: true }}
          isChosen={severity === chosen}
          count={(severity === undefined ? all : counts?.[severity]) ?? null}
        >
          {severity === undefined ? events.all : events[severity]}
        </FilterTab>
      ))}
    </FilterTabs>
  )
}
