import { Skeleton, Text, Title, VisuallyHidden } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { answerOf, apiOf } from '../../api/client.ts'
import { useMayEdit } from '../../api/me.ts'
import { posterQuery } from '../../api/video-parts.ts'
import type { Poster } from '../../api/video-parts.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { useFormats } from '../../parts/formats.ts'
import { fill } from '../../words/fill.ts'
import { useVideosWords } from './words.ts'
import classes from './videos.module.css'

const route = getRouteApi('/accounts/$account/videos/$video/poster')

/** The poster, and the frames to choose another from. */
function PosterTab() {
  const { account, video } = route.useParams()
  const { poster: words } = useVideosWords()
  const { data, error, refetch } = useQuery(posterQuery(account, video))
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height={320} />
  if (data.url === null) return <Text c="dimmed">{words.none}</Text>
  return (
    <div className={classes.posterPage}>
      <section className={classes.section} aria-labelledby="current">
        <Title order={2} id="current">
          {words.current}
        </Title>
        <img className={classes.currentPoster} src={data.url} alt={words.current} />
        <Text size="sm" c="dimmed">
          {words.public}
        </Text>
      </section>
      <Frames poster={data} />
    </div>
  )
}

interface Choice {
  frame: number | null
  url: string
  label: string
}

function Frames({ poster }: { poster: Poster }) {
  const { account, video } = route.useParams()
  const { poster: words } = useVideosWords()
  const { number } = useFormats()
  const client = useQueryClient()
  const choose = useMutation({
    mutationFn: (frame: number | null) => {
      const params = { path: { id: video } }
      return answerOf(apiOf(account).PATCH('/videos/{id}/poster', { params, body: { frame } }))
    },
    async onSuccess({ url, frame }) {
      // The addresses of the frames stay, so that the pictures do not load again.
      const key = posterQuery(account, video).queryKey
      client.setQueryData(key, (known) => known && Object.assign({}, known, { url, frame }))
      await client.invalidateQueries({ queryKey: ['video', account, video] })
      await client.invalidateQueries({ queryKey: ['videos', account] })
    },
  })
  const automatic = { frame: null, url: poster.automatic_url ?? '', label: words.automatic }
  const frames = poster.frames.map(({ number: frame, url }) => ({
    frame,
    url,
    label: fill(words.frame, { number: number(frame) }),
  }))
  const choices: Choice[] = [automatic, ...frames]
  return (
    <section className={classes.section} aria-labelledby="frames">
      <Title order={2} id="frames">
        {words.frames}
      </Title>
      <Text size="sm" c="dimmed">
        {frames.length === 0 ? words.noFrames : words.hint}
      </Text>
      {choose.error && <ErrorState error={choose.error} />}
      {frames.length > 0 && (
        <ul className={classes.frames}>
          {choices.map((choice) => (
            <li key={choice.frame}>
              <FrameButton
                choice={choice}
                isChosen={choice.frame === poster.frame}
                isPending={choose.isPending && choose.variables === choice.frame}
                onChoose={() => choose.mutate(choice.frame)}
              />
            </li>
          ))}
        </ul>
      )}
      <VisuallyHidden component="output">{choose.isSuccess ? words.chosen : ''}</VisuallyHidden>
    </section>
  )
}

interface FrameProps {
  choice: Choice
  isChosen: boolean
  isPending: boolean
  onChoose: () => void
}

function FrameButton({ choice: { url, label }, isChosen, isPending, onChoose }: FrameProps) {
  const { account } = route.useParams()
  const mayEdit = useMayEdit(account)
  return (
    <button
      type="button"
      className={classes.frame}
      aria-pressed={isChosen}
      aria-busy={isPending}
      disabled={!mayEdit}
      onClick={onChoose}
    >
      <img src={url} alt="" loading="lazy" />
      <span>
        {isChosen && <IconCheck size={14} />}
        {label}
      </span>
    </button>
  )
}

export const posterRoute = createLazyRoute('/accounts/$account/videos/$video/poster')({
  component: PosterTab,
})
