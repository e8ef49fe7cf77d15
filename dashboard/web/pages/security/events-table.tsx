import type { FoundEvent } from '../../api/security.ts'
import { Cell, DataTable } from '../../parts/lists/data-table.tsx'
import { Dot } from '../../parts/text/dot.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { typeText } from './event-words.ts'
import { FilterLink } from './filter-link.tsx'
import classes from './security.module.css'
import { useSecurityWords } from './words.ts'

/** Security events, newest first; each value filters by itself. */
export function EventsTable({ events }: { events: FoundEvent[] }) {
  const { columns, events: texts } = useSecurityWords()
  return (
    <DataTable
      label={texts.title}
      name="security-events"
      columns={[
        columns.event,
        columns.severity,
        columns.video,
        columns.viewer,
        columns.site,
        columns.time,
      ]}
    >
      {events.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </DataTable>
  )
}

const TONES = { low: 'none', medium: 'waiting', high: 'bad' } as const

function EventRow({ event }: { event: FoundEvent }) {
  const words = useSecurityWords()
  const { number } = useFormats()
  const { columns, events } = words
  const { video_id: video, viewer_id: viewer, host, event_type: type } = event
  return (
    <tr>
      <Cell isWide>
        <div>
          <FilterLink filter={{ type }} value={typeText(type, words)}>
            {typeText(type, words)}
          </FilterLink>
          {event.reason !== null && (
            // The distance is on the side of the text, whose direction the code does not have.
            <span className={classes.reason}>
              <code dir="ltr">{event.reason}</code>
            </span>
          )}
          {event.count > 1 && <bdi className={classes.reason}>× {number(event.count)}</bdi>}
        </div>
      </Cell>
      <Cell label={columns.severity}>
        <Dot tone={TONES[event.severity]}>{events[event.severity]}</Dot>
      </Cell>
      <Cell label={video === null ? undefined : columns.video}>
        {video !== null && (
          <FilterLink filter={{ video }} value={event.video_title?.trim() || video} />
        )}
      </Cell>
      <Cell label={viewer === null ? undefined : columns.viewer}>
        {viewer !== null && <FilterLink filter={{ viewer }} value={viewer} />}
      </Cell>
      <Cell label={host === null ? undefined : columns.site}>
        {host !== null && <FilterLink filter={{ host }} value={host} />}
      </Cell>
      <Cell label={columns.time}>
        <RelativeTime at={event.created_at} />
      </Cell>
    </tr>
  )
}
