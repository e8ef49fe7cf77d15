import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { VideosPage } from '../../../api/videos.ts'
import { useWords } from '../../../locales/words.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import classes from '../videos.module.css'
import { useVideosWords } from '../words.ts'
import { DeleteVideos } from './delete-videos.tsx'
import { MoveVideos } from './move-videos.tsx'
import type { Selection } from './selection.ts'

interface Props {
  account: string
  page: VideosPage
  selection: Selection
}

/** What can be done with the chosen videos. */
export function SelectionBar({ account, page, selection }: Props) {
  const { deletion } = useWords()
  const { list } = useVideosWords()
  const { counted } = useFormats()
  const [isMatching, setMatching] = useState(false)
  const [dialog, setDialog] = useState<'move' | 'delete' | null>(null)
  const ids = [...selection.ids]
  // More than can be counted are more than can be deleted at once.
  const total = page.total ?? 0
  const hasMore = total > page.data.length && ids.length === page.data.length
  // All that match is another selection as soon as one video is taken out of it.
  const isAll = isMatching && hasMore
  const close = (): void => setDialog(null)
  const done = (): void => {
    close()
    selection.clear()
  }
  const count = isAll ? total : ids.length
  return (
    <section className={classes.selection} aria-label={list.label}>
      <Text size="sm" fw={500} component="output">
        {counted(list.selected, count)}
      </Text>
      {hasMore && (
        <Button variant="subtle" size="compact-sm" onClick={() => setMatching(!isAll)}>
          {isAll ? list.onlyPage : counted(list.allMatching, total)}
        </Button>
      )}
      <Group gap="xs" className={classes.selectionActions}>
        {/* Videos are moved by their ids: the API knows no move by a filter. */}
        {!isAll && (
          <Button variant="default" size="compact-sm" onClick={() => setDialog('move')}>
            {list.move}
          </Button>
        )}
        <Button variant="default" size="compact-sm" onClick={() => setDialog('delete')}>
          {deletion.button}
        </Button>
        <Button variant="subtle" size="compact-sm" onClick={selection.clear}>
          {list.clear}
        </Button>
      </Group>
      {dialog === 'move' && (
        <MoveVideos account={account} ids={ids} onClose={close} onDone={done} />
      )}
      {dialog === 'delete' && (
        <DeleteVideos
          account={account}
          videos={page.data.filter(({ id }) => selection.ids.has(id))}
          matching={isAll ? total : null}
          onClose={close}
          onDone={done}
        />
      )}
    </section>
  )
}
