import { Alert, Code, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { iframeHtml } from '../../../../domain/embed-url.ts'
import { useMayEdit } from '../../api/me.ts'
import { useProgress } from '../../api/progress.ts'
import { videoQuery } from '../../api/videos.ts'
import type { Video } from '../../api/videos.ts'
import { CodeSnippet } from '../../parts/code-snippet.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { TextLink } from '../../parts/links.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { useWords } from '../../words/words.tsx'
import { DeleteVideo } from './delete-video.tsx'
import { failureText } from './failure-words.ts'
import { Player } from './player.tsx'
import { VideoFacts } from './video-facts.tsx'
import { VideoSteps } from './video-steps.tsx'
import classes from './videos.module.css'

const route = getRouteApi('/accounts/$account/videos/$video')

/** The page of a video is below the list, but is not the list. */
const EXACT = { exact: true }

/** One video: the player, how to embed it, its facts, and its progress or failure. */
function VideoPage() {
  const { videos } = useWords()
  const { account, video: id } = route.useParams()
  const { data: video, error, refetch } = useQuery(videoQuery(account, id))
  return (
    <>
      <Text size="sm" mb="xs">
        <TextLink to="/accounts/$account/videos" params={{ account }} activeOptions={EXACT}>
          {videos.title}
        </TextLink>
      </Text>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {video && <VideoDetails account={account} video={video} />}
      {!video && !error && <Skeleton height={420} />}
    </>
  )
}

interface Props {
  account: string
  video: Video
}

function VideoDetails({ account, video }: Props) {
  const words = useWords()
  const progress = useProgress(account, [video]).get(video.id)
  const mayEdit = useMayEdit(account)
  const snippet = iframeHtml(video.embed_url, video.title)
  return (
    <>
      <PageHeader
        title={video.title.trim() || words.videos.untitled}
        actions={mayEdit && <DeleteVideo account={account} video={video} />}
      />
      <div className={classes.page}>
        <div className={classes.column}>
          {video.error && <Failure video={video} />}
          <Player account={account} video={video} />
          <section className={classes.section} aria-labelledby="embed">
            <Title order={2} id="embed">
              {words.video.embed}
            </Title>
            <Text size="sm" c="dimmed">
              {words.video.embedHint}
            </Text>
            <CodeSnippet code={snippet} label={words.video.embed} language="html" />
          </section>
        </div>
        <div className={classes.column}>
          {progress && <VideoSteps video={video} progress={progress} />}
          <VideoFacts account={account} video={video} />
        </div>
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

export const videoRoute = createLazyRoute('/accounts/$account/videos/$video')({
  component: VideoPage,
})
