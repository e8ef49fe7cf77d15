import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { viewerQuery, type Viewer } from '../../api/viewers.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import layout from '../../parts/layout.module.css'
import { Breadcrumb } from '../../parts/links/breadcrumb.tsx'
import { ButtonLink, TextLink } from '../../parts/links/links.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Dot } from '../../parts/text/dot.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import classes from './audience.module.css'
import { Definition } from './definition.tsx'
import { EraseViewer } from './viewers/erase-viewer.tsx'
import { LatestSessions } from './viewers/latest-sessions.tsx'
import { RevokeOrRestore } from './viewers/revoke-or-restore.tsx'
import { ViewerSessions } from './viewers/viewer-sessions.tsx'
import { ViewerVideos } from './viewers/viewer-videos.tsx'
import { useAudienceWords } from './words.ts'

const route = getRouteApi('/accounts/$account/audience/viewer')

/** A viewer: what they watched, when and how far, and what they watch now. */
function ViewerPage() {
  const words = useAudienceWords()
  const { account } = route.useParams()
  const { id } = route.useSearch()
  const { data, error, refetch } = useQuery(viewerQuery(account, id))
  // Someone who plays for the first time is counted when that has ended.
  const isUncounted = data === null
  return (
    <>
      <Breadcrumb>
        <TextLink to="/accounts/$account/audience/viewers" params={{ account }}>
          {words.viewers.title}
        </TextLink>
      </Breadcrumb>
      <PageHeader
        title={id}
        actions={
          <>
            <ButtonLink
              variant="default"
              to="/accounts/$account/security/events"
              params={{ account }}
              search={{ viewer: id, range: '90d' }}
            >
              {words.viewer.events}
            </ButtonLink>
            {(data || isUncounted) && (
              <RevokeOrRestore account={account} id={id} isRevoked={data?.is_revoked ?? false} />
            )}
            {(data || isUncounted) && <EraseViewer account={account} id={id} />}
          </>
        }
      >
        {data?.is_revoked && <Dot tone="bad">{words.viewers.revoked}</Dot>}
      </PageHeader>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      <div className={layout.stack}>
        {data && <Sums viewer={data} />}
        {data === undefined && !error && <Skeleton height={76} radius="lg" aria-hidden />}
        {isUncounted && <p className={classes.none}>{words.viewer.uncounted}</p>}
        <ViewerSessions account={account} id={id} />
        {data && <ViewerVideos account={account} id={id} />}
        {data && <LatestSessions account={account} id={id} />}
      </div>
    </>
  )
}

function Sums({ viewer }: { viewer: Viewer }) {
  const { metrics, viewers } = useAudienceWords()
  const { number, hours } = useFormats()
  const sums = [
    [metrics.plays, number(viewer.plays), 'plays'],
    [metrics.watch, hours(viewer.watch_seconds), 'watch_seconds'],
    [viewers.firstSeen, <RelativeTime key="first" at={viewer.first_seen_at} />, null],
    [viewers.lastSeen, <RelativeTime key="last" at={viewer.last_seen_at} />, null],
  ] as const
  return (
    <dl className={classes.sums}>
      {sums.map(([name, value, definition]) => (
        <div key={name}>
          <dt className={classes.titled}>
            {name}
            {definition && <Definition name={name} definitions={[definition]} />}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export const viewerRoute = createLazyRoute('/accounts/$account/audience/viewer')({
  component: ViewerPage,
})
