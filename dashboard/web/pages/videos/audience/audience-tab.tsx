import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { audienceQuery, daysOf, retentionQuery } from '../../../api/audience.ts'
import { videoQuery, type Video } from '../../../api/videos.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import { ButtonLink } from '../../../parts/links/links.tsx'
import tools from '../../audience/audience.module.css'
import { Breakdowns } from '../../audience/breakdown.tsx'
import { ExportAudience } from '../../audience/export-audience.tsx'
import { hasSomething } from '../../audience/metrics.ts'
import { NoPlays } from '../../audience/no-plays.tsx'
import { Numbers, NumbersSkeleton } from '../../audience/numbers.tsx'
import { PlayingNow } from '../../audience/playing-now.tsx'
import { RangeChoice } from '../../audience/range-choice.tsx'
import { useAudienceWords } from '../../audience/words.ts'
import classes from '../video/video-page.module.css'
import { RetentionSection } from './retention-section.tsx'
import { VideoViewers } from './video-viewers.tsx'

const route = getRouteApi('/accounts/$account/videos/$video/audience')

/** The audience of a video: its numbers, how long viewers stay, and who they are. */
function AudienceTab() {
  const { account, video: id } = route.useParams()
  const { data: video } = useQuery(videoQuery(account, id))
  return video && <VideoAudience account={account} video={video} />
}

function VideoAudience({ account, video }: { account: string; video: Video }) {
  const { embedThis } = useAudienceWords()
  const { id } = video
  const { metric, after, before, ...time } = route.useSearch()
  const days = daysOf(time)
  const range = { from: days.from, to: days.to }
  const { data, error, refetch, isPlaceholderData } = useQuery(
    audienceQuery(account, { ...days, video: id }),
  )
  const curve = useQuery(retentionQuery(account, id, range))
  const isEmpty = data && !hasSomething(data.totals) && !hasSomething(data.previous_totals)
  const isShown = data !== undefined && !isEmpty
  return (
    <>
      <div className={`${classes.tools} ${tools.tools}`}>
        <RangeChoice search={time} />
        <PlayingNow account={account} video={id} />
        <ExportAudience account={account} days={days} video={id} isReady={isShown} />
      </div>
      <div className={classes.under}>
        <RetentionSection account={account} video={video} curve={curve} />
      </div>
      <div className={classes.beside}>
        {error && <ErrorState error={error} retry={() => void refetch()} />}
        {!data && !error && <NumbersSkeleton />}
        {isEmpty && (
          <NoPlays time={time}>
            <ButtonLink to="/accounts/$account/videos/$video/embed" params={{ account, video: id }}>
              {embedThis}
            </ButtonLink>
          </NoPlays>
        )}
        {isShown && (
          <Numbers
            account={account}
            audience={data}
            video={id}
            metric={metric}
            isOld={isPlaceholderData}
          />
        )}
      </div>
      <div className={classes.whole}>
        {isShown && <Breakdowns account={account} days={range} video={id} totals={data.totals} />}
        <VideoViewers account={account} id={id} cursors={{ after, before }} />
      </div>
    </>
  )
}

export const audienceRoute = createLazyRoute('/accounts/$account/videos/$video/audience')({
  component: AudienceTab,
})
