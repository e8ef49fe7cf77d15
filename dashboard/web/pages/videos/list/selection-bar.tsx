import { ActionIcon, Button, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { Video, VideosPage } from '../../../api/videos.ts'
import { IconFolder, IconTag, IconTrash, IconX } from '../../../icons/icons.tsx'
import { useWords } from '../../../locales/words.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { TagVideos } from '../own/tag-videos.tsx'
import { useVideosWords } from '../words.ts'
import { DeleteVideos } from './delete-videos.tsx'
import { SelectAll } from './select-all.tsx'
import classes from './selection-bar.module.css'
import type { Selection } from './selection.ts'
import { useVideosView } from './videos-view.ts'

interface Props {
  account: string
  page: VideosPage
  selection: Selection
  /** Asks for the folder that the chosen videos go to. */
  onMove: (videos: Video[]) => void
}

/** What can be done with the chosen videos. */
export function SelectionBar({ account, page, selection, onMove }: Props) {
  const { deletion } = useWords()
  const { list, tagging } = useVideosWords()
  const { counted } = useFormats()
  const view = useVideosView()
  const [isMatching, setMatching] = useState(false)
  const [dialog, setDialog] = useState<'tags' | 'deletion' | null>(null)
  const videos = page.data.filter(({ id }) => selection.ids.has(id))
  // More than can be counted are more than can be deleted at once.
  const total = page.total ?? 0
  const hasMore = total > page.data.length && videos.length === page.data.length
  // All that match is another selection as soon as one video is taken out of it.
  const isAll = isMatching && hasMore
  const ends = {
    onClose: () => setDialog(null),
    onDone() {
      setDialog(null)
      selection.clear()
    },
  }
  return (
    <section className={classes.bar} aria-label={list.label}>
      {/* The table has it in its head. */}
      {view === 'grid' && <SelectAll videos={page.data} selection={selection} />}
      <Text size="sm" fw={500} component="output">
        {counted(list.selected, isAll ? total : videos.length)}
      </Text>
      <ActionIcon
        className={classes.clear}
        variant="subtle"
        color="gray"
        aria-label={list.clear}
        title={list.clear}
        onClick={selection.clear}
      >
        <IconX size={16} />
      </ActionIcon>
      {hasMore && (
        <Button variant="subtle" size="compact-sm" onClick={() => setMatching(!isAll)}>
          {isAll ? list.onlyPage : counted(list.allMatching, total)}
        </Button>
      )}
      <div className={classes.actions}>
        {/* Videos are moved and tagged by their ids: the API knows neither by a filter. */}
        {!isAll && (
          <>
            <Action icon={<IconFolder size={14} />} onClick={() => onMove(videos)}>
              {list.move}
            </Action>
            <Action icon={<IconTag size={14} />} onClick={() => setDialog('tags')}>
              {tagging.button}
            </Action>
          </>
        )}
        <Action icon={<IconTrash size={14} />} onClick={() => setDialog('deletion')}>
          {deletion.button}
        </Action>
      </div>
      {dialog === 'tags' && <TagVideos account={account} videos={videos} {...ends} />}
      {dialog === 'deletion' && (
        <DeleteVideos account={account} videos={videos} matching={isAll ? total : null} {...ends} />
      )}
    </section>
  )
}

interface ActionProps {
  icon: ReactNode
  onClick: () => void
  children: ReactNode
}

const Action = ({ icon, onClick, children }: ActionProps) => (
  <Button variant="default" size="compact-sm" leftSection={icon} onClick={onClick}>
    {children}
  </Button>
)
