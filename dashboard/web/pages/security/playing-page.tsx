import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { playingQuery, type PlayingSession } from '../../api/security.ts'
import { IconEye, IconSearchOff } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import layout from '../../parts/layout.module.css'
import { TableSkeleton } from '../../parts/lists/data-table.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { useNow } from '../../parts/text/now.ts'
import { EndPlayback } from './end-playback.tsx'
import { FilterChips } from './filter-link.tsx'
import { PlayingTable } from './playing-table.tsx'
import { useSecurityWords } from './words.ts'

const route = getRouteApi('/accounts/$account/security/playing')

/** Who watches what, and where. A session can be ended. */
function PlayingPage() {
  const { playing } = useSecurityWords()
  const { number } = useFormats()
  const { account } = route.useParams()
  const { end, ...filter } = route.useSearch()
  const { data, error, refetch, dataUpdatedAt } = useQuery(playingQuery(account, filter))
  const sessions = data?.data ?? []
  const ending = sessions.find(({ id }) => id === end)
  const chosenVideo = sessions.find(({ video_id: id }) => id === filter.video)
  return (
    <>
      <PageHeader title={playing.title} actions={<Updated atMs={dataUpdatedAt} />} />
      <p className={layout.intro}>{playing.intro}</p>
      <FilterChips filter={filter} videoTitle={chosenVideo?.video_title} />
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {data && <Sessions account={account} sessions={sessions} />}
      {data?.has_more && (
        <Text size="sm" c="dimmed" mt="sm">
          {interpolate(playing.more, { number: number(sessions.length) })}
        </Text>
      )}
      {!data && !error && <TableSkeleton />}
      {ending && <EndPlayback account={account} session={ending} />}
    </>
  )
}

function Updated({ atMs }: { atMs: number }) {
  const { playing } = useSecurityWords()
  const { relative } = useFormats()
  const now = useNow()
  if (atMs === 0) return null
  return (
    <Text size="sm" c="dimmed">
      {interpolate(playing.updated, { time: relative(Math.min(atMs, now), now) })}
    </Text>
  )
}

function Sessions({ account, sessions }: { account: string; sessions: PlayingSession[] }) {
  const { playing, clear } = useSecurityWords()
  const { video, viewer, host } = route.useSearch()
  const navigate = route.useNavigate()
  if (sessions.length > 0) return <PlayingTable account={account} sessions={sessions} />
  if (video === undefined && viewer === undefined && host === undefined)
    return (
      <EmptyState
        icon={IconEye}
        sample="people"
        title={playing.emptyTitle}
        text={playing.emptyText}
      />
    )
  return (
    <EmptyState icon={IconSearchOff} title={playing.noneTitle} text={playing.noneText}>
      <Button variant="default" onClick={() => void navigate({ search: {} })}>
        {clear}
      </Button>
    </EmptyState>
  )
}

export const playingRoute = createLazyRoute('/accounts/$account/security/playing')({
  component: PlayingPage,
})
