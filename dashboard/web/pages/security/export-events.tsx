import { csvOf } from '../../../../domain/csv.ts'
import {
  EXPORTED_EVENTS_MAX,
  readEvents,
  type EventsFilter,
  type FoundEvent,
} from '../../api/security.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { ExportButton } from '../../parts/lists/export-button.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { useTimeZone } from '../../shell/time-zone.tsx'
import { useSecurityWords } from './words.ts'

const COLUMNS = [
  'id',
  'created_at',
  'event_type',
  'severity',
  'reason',
  'count',
  'video_id',
  'video_title',
  'viewer_id',
  'host',
] as const satisfies readonly (keyof FoundEvent)[]

/** Saves the events that match as CSV. The columns are named as in the API. */
export function ExportEvents({ account, filter }: { account: string; filter: EventsFilter }) {
  const { events } = useSecurityWords()
  const { number } = useFormats()
  const { zone } = useTimeZone()
  const read = async () => {
    const found = await readEvents(account, filter, zone)
    return csvOf([COLUMNS, ...found.map((event) => COLUMNS.map((column) => event[column]))])
  }
  const hint = interpolate(events.exportHint, { number: number(EXPORTED_EVENTS_MAX) })
  return <ExportButton name="security-events.csv" label={events.export} hint={hint} read={read} />
}
