import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMay } from '../../../api/me.ts'
import { playingQuery, type PlayingSession } from '../../../api/security.ts'
import { useWords } from '../../../locales/words.tsx'
import { ErrorState } from '../../../parts/error-state.tsx'
import { ButtonLink, TextLink } from '../../../parts/links/links.tsx'
import { Cell, DataTable } from '../../../parts/lists/data-table.tsx'
import { Section } from '../../../parts/section.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { LongText } from '../../../parts/text/long-text.tsx'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import classes from '../audience.module.css'
import { useAudienceWords } from '../words.ts'

/** What a viewer watches now, and where. */
export function ViewerSessions({ account, id }: { account: string; id: string }) {
  const { viewer, top } = useAudienceWords()
  const { data, error, refetch } = useQuery(playingQuery(account, { viewer: id }))
  const mayEnd = useMay(account, 'viewers:write')
  return (
    <Section title={viewer.now}>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton height={20} aria-hidden />}
      {data?.data.length === 0 && <p className={classes.none}>{viewer.nothingNow}</p>}
      {data && data.data.length > 0 && (
        <DataTable
          label={viewer.now}
          columns={[top.video, viewer.site, viewer.position, viewer.started]}
          hasActions
        >
          {data.data.map((session) => (
            <SessionRow key={session.id} account={account} session={session} mayEnd={mayEnd} />
          ))}
        </DataTable>
      )}
    </Section>
  )
}

interface RowProps {
  account: string
  session: PlayingSession
  mayEnd: boolean
}

function SessionRow({ account, session, mayEnd }: RowProps) {
  const { viewer } = useAudienceWords()
  const { videos } = useWords()
  const { duration } = useFormats()
  const { video_id: video, viewer_id: id, host, position } = session
  return (
    <tr>
      <Cell isWide>
        <TextLink to="/accounts/$account/videos/$video" params={{ account, video }} size="sm">
          <LongText>{session.video_title.trim() || videos.untitled}</LongText>
        </TextLink>
      </Cell>
      <Cell label={viewer.site}>{host === null ? viewer.noSite : <LongText>{host}</LongText>}</Cell>
      <Cell label={viewer.position}>{position !== null && duration(position)}</Cell>
      <Cell label={viewer.started}>
        <RelativeTime at={session.started_at} />
      </Cell>
      <Cell>
        {mayEnd && (
          <ButtonLink
            to="/accounts/$account/security/playing"
            params={{ account }}
            search={{ viewer: id ?? undefined, end: session.id }}
            variant="default"
            size="compact-sm"
          >
            {viewer.end}
          </ButtonLink>
        )}
      </Cell>
    </tr>
  )
}
