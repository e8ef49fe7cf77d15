import { Text } from '@mantine/core'
import { useMay } from '../../api/me.ts'
import type { PlayingSession } from '../../api/security.ts'
import { ButtonLink } from '../../parts/links/links.tsx'
import { Cell, DataTable } from '../../parts/lists/data-table.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { FilterLink } from './filter-link.tsx'
import classes from './security.module.css'
import { useSecurityWords } from './words.ts'

interface Props {
  account: string
  sessions: PlayingSession[]
}

/** The sessions that play now; each value filters by itself. */
export function PlayingTable({ account, sessions }: Props) {
  const { columns, playing } = useSecurityWords()
  const mayEnd = useMay(account, 'viewers:write')
  const { video, viewer, site, position, started } = columns
  return (
    <DataTable
      label={playing.title}
      name="playing"
      columns={[video, viewer, site, position, started]}
      hasActions
    >
      {sessions.map((session) => (
        <SessionRow key={session.id} account={account} session={session} mayEnd={mayEnd} />
      ))}
    </DataTable>
  )
}

interface RowProps {
  account: string
  session: PlayingSession
  mayEnd: boolean
}

function SessionRow({ account, session, mayEnd }: RowProps) {
  const { columns, playing } = useSecurityWords()
  const { duration } = useFormats()
  const { viewer_id: viewer, video_id: video, host, position } = session
  return (
    <tr>
      <Cell isWide>
        <FilterLink filter={{ video }} value={session.video_title.trim() || video} />
      </Cell>
      <Cell label={columns.viewer}>
        {viewer === null ? (
          <Dimmed text={playing.noToken} />
        ) : (
          <FilterLink filter={{ viewer }} value={viewer} />
        )}
      </Cell>
      <Cell label={columns.site}>
        {host === null ? (
          <Dimmed text={playing.noSite} />
        ) : (
          <FilterLink filter={{ host }} value={host} />
        )}
      </Cell>
      <Cell label={columns.position}>{position !== null && duration(position)}</Cell>
      <Cell label={columns.started}>
        <RelativeTime at={session.started_at} />
      </Cell>
      <Cell>{mayEnd && <Actions account={account} session={session} />}</Cell>
    </tr>
  )
}

const Dimmed = ({ text }: { text: string }) => (
  <Text span size="sm" c="dimmed">
    {text}
  </Text>
)

function Actions({ account, session }: Omit<RowProps, 'mayEnd'>) {
  const { playing } = useSecurityWords()
  const { viewer_id: viewer } = session
  return (
    <div className={classes.rowActions}>
      <ButtonLink
        to="."
        search={(now) => ({ ...now, end: session.id })}
        variant="default"
        size="compact-sm"
      >
        {playing.end}
      </ButtonLink>
      {viewer !== null && (
        <ButtonLink
          to="/accounts/$account/security/viewers/revoke"
          params={{ account }}
          search={{ viewer }}
          variant="subtle"
          color="red"
          size="compact-sm"
        >
          {playing.revoke}
        </ButtonLink>
      )}
    </div>
  )
}
