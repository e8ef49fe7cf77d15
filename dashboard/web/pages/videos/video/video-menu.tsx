import { ActionIcon, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { videosMatch } from '../../../api/video-search/filter.ts'
import type { Video } from '../../../api/videos.ts'
import { IconDots, IconPencil, IconTrash } from '../../../icons/icons.tsx'
import { useWords } from '../../../locales/words.tsx'
import { useVideosWords } from '../words.ts'
import { DeleteVideo } from './delete-video.tsx'

interface Props {
  account: string
  video: Video
}

/** What is done with a video more seldom. */
export function VideoMenu({ account, video }: Props) {
  const { parts, deletion } = useWords()
  const { details } = useVideosWords()
  const [isDeleting, setDeleting] = useState(false)
  const navigate = useNavigate()
  const edit = (): void =>
    void navigate({
      to: '/accounts/$account/videos/$video',
      params: { account, video: video.id },
      search: (now) => ({ ...videosMatch(now), edit: '1' }),
    })
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={parts.actions} title={parts.actions}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={14} />} onClick={edit}>
            {details.editAll}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconTrash size={14} />}
            c="var(--mantine-color-error)"
            onClick={() => setDeleting(true)}
          >
            {deletion.button}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isDeleting && (
        <DeleteVideo account={account} video={video} onClose={() => setDeleting(false)} />
      )}
    </>
  )
}
