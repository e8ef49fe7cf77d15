import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { audienceQuery, daysOf } from '../../api/audience.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import layout from '../../parts/layout.module.css'
import { ButtonLink } from '../../parts/links/links.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import classes from './audience.module.css'
import { Breakdowns } from './breakdown.tsx'
import { ExportAudience } from './export-audience.tsx'
import { hasSomething } from './metrics.ts'
import { NoPlays } from './no-plays.tsx'
import { Numbers, NumbersSkeleton } from './numbers.tsx'
import { PlayingNow } from './playing-now.tsx'
import { RangeChoice } from './range-choice.tsx'
import { TopVideos } from './top-videos.tsx'
import { useAudienceWords } from './words.ts'

const route = getRouteApi('/accounts/$account/audience/')

/** What was watched in a time, of all videos. */
function AudiencePage() {
  const words = useAudienceWords()
  const { account } = route.useParams()
  const { metric, order = 'plays', ...time } = route.useSearch()
  const days = daysOf(time)
  const { data, error, refetch, isPlaceholderData } = useQuery(audienceQuery(account, days))
  const isEmpty = data && !hasSomething(data.totals) && !hasSomething(data.previous_totals)
  const isShown = data !== undefined && !isEmpty
  const range = { from: days.from, to: days.to }
  return (
    <>
      <PageHeader isHidden title={words.pages.overview} />
      <div className={classes.tools}>
        <RangeChoice search={time} />
        <PlayingNow account={account} />
        <ExportAudience account={account} days={days} order={order} isReady={isShown} />
      </div>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {isEmpty && (
        <NoPlays time={time}>
          <ButtonLink to="/accounts/$account/videos" params={{ account }}>
            {words.embed}
          </ButtonLink>
        </NoPlays>
      )}
      {isShown && (
        <div className={layout.stack}>
          <Numbers account={account} audience={data} metric={metric} isOld={isPlaceholderData} />
          <TopVideos account={account} days={range} time={time} order={order} />
          <Breakdowns account={account} days={range} totals={data.totals} />
        </div>
      )}
      {!data && !error && <NumbersSkeleton />}
    </>
  )
}

export const audienceRoute = createLazyRoute('/accounts/$account/audience/')({
  component: AudiencePage,
})
