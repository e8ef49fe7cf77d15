import { Skeleton, Text, VisuallyHidden } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { apiOf, unwrap } from '../../../api/client.ts'
import { useMayEdit } from '../../../api/me.ts'
import { posterQuery, posterUploadQuery, type Poster } from '../../../api/video-parts.ts'
import { IconCheck } from '../../../icons/icons.tsx'
import { interpolate } from '../../../locales/interpolate.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import layout from '../../../parts/layout.module.css'
import { Section } from '../../../parts/section.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { useVideosWords } from '../words.ts'
import classes from './poster-tab.module.css'
import { PosterUpload } from './poster-upload.tsx'

const route = getRouteApi('/accounts/$account/videos/$video/poster')

/** The poster, the pictures to choose another from, and the upload of one. */
function PosterTab() {
  const { account, video } = route.useParams()
  const { poster: words } = useVideosWords()
  const { data, error, refetch } = useQuery(posterQuery(account, video))
  const mayEdit = useMayEdit(account)
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height={320} />
  if (data.url === null) return <Text c="dimmed">{words.none}</Text>
  return (
    <div className={classes.page}>
      <Section title={words.current}>
        <img className={classes.current} src={data.url} alt={words.current} />
        <Text size="sm" c="dimmed">
          {words.public}
        </Text>
      </Section>
      <div className={layout.column}>
        <Pictures poster={data} />
        {mayEdit && <PosterUpload account={account} video={video} />}
      </div>
    </div>
  )
}

interface Choice {
  name: string
  url: string
  label: string
}

function Pictures({ poster }: { poster: Poster }) {
  const { account, video } = route.useParams()
  const { poster: words } = useVideosWords()
  const { number } = useFormats()
  const client = useQueryClient()
  const choose = useMutation({
    mutationFn: (picture: string) => {
      const params = { path: { id: video } }
      return unwrap(apiOf(account).PATCH('/videos/{id}/poster', { params, body: { picture } }))
    },
    async onSuccess({ url, picture }) {
      // The addresses of the pictures stay, so that the pictures do not load again.
      const key = posterQuery(account, video).queryKey
      client.setQueryData(key, (known) => known && Object.assign({}, known, { url, picture }))
      // The choice has withdrawn an upload that was not done.
      await client.invalidateQueries({ queryKey: posterUploadQuery(account, video).queryKey })
      await client.invalidateQueries({ queryKey: ['video', account, video] })
      await client.invalidateQueries({ queryKey: ['videos', account] })
    },
  })
  const labelOf = (name: string): string => {
    if (name === 'automatic') return words.automatic
    if (name === 'uploaded') return words.uploaded
    return interpolate(words.frame, { number: number(Number(name.replace('frame-', ''))) })
  }
  const choices: Choice[] = poster.pictures.map(({ name, url }) => ({
    name,
    url,
    label: labelOf(name),
  }))
  const hasFrames = choices.some(({ name }) => name.startsWith('frame-'))
  return (
    <Section title={words.frames} hint={hasFrames ? words.hint : words.noFrames}>
      {choose.error && <ErrorState error={choose.error} />}
      {choices.length > 1 && (
        <ul className={classes.frames}>
          {choices.map((choice) => (
            <li key={choice.name}>
              <FrameButton
                choice={choice}
                isChosen={choice.name === poster.picture}
                isPending={choose.isPending && choose.variables === choice.name}
                onChoose={() => choose.mutate(choice.name)}
              />
            </li>
          ))}
        </ul>
      )}
      <VisuallyHidden component="output">{choose.isSuccess ? words.chosen : ''}</VisuallyHidden>
    </Section>
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
