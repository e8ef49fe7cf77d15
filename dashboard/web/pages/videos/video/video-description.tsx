import { Button, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useMayEdit } from '../../../api/me.ts'
import type { Video } from '../../../api/videos.ts'
import { IconPencil } from '../../../icons/icons.tsx'
import { Section } from '../../../parts/section.tsx'
import { OwnData } from '../own/own-data.tsx'
import { useVideosWords } from '../words.ts'
import { VideoForm } from './video-form.tsx'
import classes from './video-page.module.css'

const route = getRouteApi('/accounts/$account/videos/$video/')

interface Props {
  account: string
  video: Video
}

/** The description and what the integrator keeps with the video; they are edited in their place, with title and folder. */
export function VideoDescription({ account, video }: Props) {
  const { details } = useVideosWords()
  const { edit } = route.useSearch()
  const mayEdit = useMayEdit(account)
  const navigate = route.useNavigate()
  const setEditing = (isEditing: boolean): void =>
    void navigate({
      search: (now) => ({ ...now, edit: isEditing ? '1' : undefined }),
      replace: true,
      resetScroll: false,
    })
  if (mayEdit && edit === '1')
    return <VideoForm account={account} video={video} onClose={() => setEditing(false)} />
  return (
    <Section
      title={details.title}
      actions={
        mayEdit && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPencil size={14} />}
            onClick={() => setEditing(true)}
          >
            {details.edit}
          </Button>
        )
      }
    >
      <Description video={video} />
      <OwnData account={account} video={video} />
    </Section>
  )
}

function Description({ video: { description } }: { video: Video }) {
  const { details } = useVideosWords()
  if (description.trim() === '') return <Text c="dimmed">{details.noDescription}</Text>
  return (
    <Text className={classes.prose} dir="auto">
      {description}
    </Text>
  )
}
