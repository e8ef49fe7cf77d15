import { Alert, Code, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { useProgress } from '../../../api/progress.ts'
import { videoQuery, type Video } from '../../../api/videos.ts'
import { useWords } from '../../../locales/words.tsx'
import { CopyButton } from '../../../parts/text/copy-button.tsx'
import classes from '../videos.module.css'
import { failureText } from './failure-words.ts'
import { VideoDescription } from './video-description.tsx'
import { VideoFacts } from './video-facts.tsx'
import { VideoSteps } from './video-steps.tsx'
import { VideoWarnings } from './video-warnings.tsx'

const route = getRouteApi('/accounts/$account/videos/$video/')

/** What a video is, how far it is or why it failed. */
function OverviewTab() {
  const { account, video: id } = route.useParams()
  const { data: video } = useQuery(videoQuery(account, id))
  return video && <Overview account={account} video={video} />
}

function Overview({ account, video }: { account: string; video: Video }) {
  const progress = useProgress(account, [video]).get(video.id)
  return (
    <>
      <div className={classes.under}>
        {video.error && <Failure video={video} />}
        <VideoWarnings video={video} />
        <VideoDescription account={account} video={video} />
      </div>
      <div className={classes.beside}>
        {progress && <VideoSteps video={video} progress={progress} />}
        <VideoFacts video={video} />
      </div>
    </>
  )
}

function Failure({ video: { id, error } }: { video: Video }) {
  const words = useWords()
  if (!error) return null
  const report = `video ${id}\n${error.code}\n${error.message}`
  return (
    <Alert color="red" variant="light" title={words.video.failed}>
      <Text size="sm">{failureText(error.code, words)}</Text>
      <Text size="xs" my="xs">
        <Code>{error.code}</Code> <bdi lang="en">{error.message}</bdi>
      </Text>
      <CopyButton isWide text={report} label={words.problems.report} />
    </Alert>
  )
}

export const overviewRoute = createLazyRoute('/accounts/$account/videos/$video/')({
  component: OverviewTab,
})
