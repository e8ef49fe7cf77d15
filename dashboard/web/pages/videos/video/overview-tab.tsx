import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { isFinal } from '../../../../../domain/videos/video-state.ts'
import { useProgress } from '../../../api/progress.ts'
import { videoQuery, type Video } from '../../../api/videos.ts'
import { Failure } from './failure.tsx'
import { Share } from './share.tsx'
import { VideoDescription } from './video-description.tsx'
import { VideoFacts } from './video-facts.tsx'
import classes from './video-page.module.css'
import { VideoSteps } from './video-steps.tsx'
import { VideoWarnings } from './video-warnings.tsx'

const route = getRouteApi('/accounts/$account/videos/$video/')

/** What a video is, how to share it, and how far it is or why it failed. */
function OverviewTab() {
  const { account, video: id } = route.useParams()
  const { data: video } = useQuery(videoQuery(account, id))
  return video && <Overview account={account} video={video} />
}

function Overview({ account, video }: { account: string; video: Video }) {
  const progress = useProgress(account, [video]).get(video.id)
  const hasFailed = video.error !== null
  return (
    <>
      {hasFailed && (
        <div className={classes.stage}>
          <Failure account={account} video={video} />
        </div>
      )}
      <VideoFacts account={account} video={video} progress={progress} />
      <div className={classes.below}>
        {!hasFailed && <Share account={account} video={video} />}
        <VideoWarnings video={video} />
        <VideoDescription account={account} video={video} />
      </div>
      {!isFinal(video.status) && (
        <div className={classes.progress}>
          <VideoSteps video={video} progress={progress} />
        </div>
      )}
    </>
  )
}

export const overviewRoute = createLazyRoute('/accounts/$account/videos/$video/')({
  component: OverviewTab,
})
