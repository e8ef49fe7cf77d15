import { useQuery } from '@tanstack/react-query'
import { viewerSessionsQuery, type ViewerSession } from '../../../api/viewers.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import { Cell, DataTable, TableSkeleton } from '../../../parts/lists/data-table.tsx'
import { Section } from '../../../parts/section.tsx'
import { deviceText } from '../../../parts/text/device-text.ts'
import { useFormats } from '../../../parts/text/formats.ts'
import { LongText } from '../../../parts/text/long-text.tsx'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import classes from '../audience.module.css'
import { ErrorValue } from '../errors.tsx'
import { useAudienceWords } from '../words.ts'
import { VideoTitle } from './video-title.tsx'

/** When a viewer has watched what, on which site and in which browser, and what kept it from playing. */
export function LatestSessions({ account, id }: { account: string; id: string }) {
  const { viewer, top, metrics } = useAudienceWords()
  const { data, error, refetch } = useQuery(viewerSessionsQuery(account, id))
  return (
    <Section title={viewer.sessions}>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {data?.length === 0 && <p className={classes.none}>{viewer.noSessions}</p>}
      {data && data.length > 0 && (
        <DataTable
          label={viewer.sessions}
          columns={[top.video, viewer.site, viewer.browser, metrics.watch, viewer.started]}
        >
          {data.map((session) => (
            <SessionRow key={session.id} account={account} session={session} />
          ))}
        </DataTable>
      )}
      {!data && !error && <TableSkeleton />}
    </Section>
  )
}

function SessionRow({ account, session }: { account: string; session: ViewerSession }) {
  const { viewer, metrics } = useAudienceWords()
  const { hours } = useFormats()
  const { host, browser, system } = session
  return (
    <tr>
      <Cell isWide>
        {/* One item, also where cells are rows of their own. */}
        <div>
          <VideoTitle account={account} id={session.video_id} title={session.video_title} />
          {session.error !== null && (
            <div className={classes.failed}>
              <ErrorValue error={session.error} />
            </div>
          )}
        </div>
      </Cell>
      <Cell label={viewer.site}>{host === null ? viewer.noSite : <LongText>{host}</LongText>}</Cell>
      <Cell label={viewer.browser}>{deviceText(browser, system) ?? viewer.noSite}</Cell>
      <Cell label={metrics.watch}>{hours(session.watch_seconds)}</Cell>
      <Cell label={viewer.started}>
        <RelativeTime at={session.started_at} />
      </Cell>
    </tr>
  )
}
