import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import {
  EXPORTED_EVENTS_MAX,
  readEvents,
  type EventsFilter,
  type FoundEvent,
} from '../../api/security.ts'
import { IconDownload } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { csvOf } from '../../parts/lists/csv.ts'
import { saveCsv } from '../../parts/lists/save-csv.ts'
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
  const save = useMutation({
    mutationFn: () => readEvents(account, filter, zone),
    onSuccess(found) {
      const rows = found.map((event) => COLUMNS.map((column) => event[column]))
      saveCsv('security-events.csv', csvOf([COLUMNS, ...rows]))
    },
  })
  return (
    <>
      {save.error && <ErrorState error={save.error} />}
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        loading={save.isPending}
        title={interpolate(events.exportHint, { number: number(EXPORTED_EVENTS_MAX) })}
        onClick={() => save.mutate()}
      >
        {events.export}
      </Button>
    </>
  )
}
