import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useMayEdit } from '../../../api/me.ts'
import { NO_FOLDER } from '../../../api/video-search/filter.ts'
import { foldersQuery, looseVideosQuery, type Folder } from '../../../api/videos.ts'
import { IconFolderOff, IconLayoutGrid, IconPlus } from '../../../icons/icons.tsx'
import { useWords } from '../../../locales/words.tsx'
import { ErrorState } from '../../../parts/error-state.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { draggedVideos, endDrag } from '../list/drag-videos.ts'
import { useVideosWords } from '../words.ts'
import { useCreateFolder } from './folder-changes.ts'
import { FolderItem } from './folder-item.tsx'
import { FolderLink, useDrop } from './folder-link.tsx'
import { FolderName } from './folder-name.tsx'
import classes from './folder-nav.module.css'
import { useMove } from './use-move.ts'

const route = getRouteApi('/accounts/$account/videos')

/** With more folders, some are found by their names. */
const FIND_FROM = 12
const SHOWN_MAX = 60

/** The folders of the account at the side of their videos. Videos that are dropped on one move there. */
export function FolderNav({ account }: { account: string }) {
  const { folders: words } = useVideosWords()
  const mayEdit = useMayEdit(account)
  const { data: folders, error, refetch } = useQuery(foldersQuery(account))
  const move = useMove(account)
  const take = (folder: Folder | null) => () => {
    move.mutate({ videos: draggedVideos.get(), folder })
    endDrag()
  }
  return (
    <nav className={classes.nav} aria-label={words.title}>
      <Fixed account={account} folders={folders} onDrop={mayEdit ? take(null) : null} />
      <Folders account={account} folders={folders ?? []} mayEdit={mayEdit} take={take} />
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {move.error && <ErrorState error={move.error} />}
    </nav>
  )
}

interface FixedProps {
  account: string
  folders: readonly Folder[] | undefined
  onDrop: (() => void) | null
}

/** All videos, and those without a folder. */
function Fixed({ account, folders, onDrop }: FixedProps) {
  const { add } = useWords()
  const { folders: words } = useVideosWords()
  const { folder } = route.useSearch()
  const { data: loose } = useQuery(looseVideosQuery(account))
  const drop = useDrop(onDrop)
  const filed = folders?.reduce((sum, { video_count: count }) => sum + count, 0)
  const all = loose === undefined || filed === undefined ? undefined : loose + filed
  return (
    <ul className={classes.items}>
      <li className={classes.item}>
        <FolderLink
          account={account}
          folder={undefined}
          isChosen={folder === undefined}
          icon={<IconLayoutGrid size={16} />}
          name={words.all}
          count={all}
        />
      </li>
      <li {...drop} className={classes.item}>
        <FolderLink
          account={account}
          folder={NO_FOLDER}
          isChosen={folder === NO_FOLDER}
          icon={<IconFolderOff size={16} />}
          name={add.noFolder}
          count={loose}
        />
      </li>
    </ul>
  )
}

interface FoldersProps {
  account: string
  folders: readonly Folder[]
  mayEdit: boolean
  take: (folder: Folder) => () => void
}

function Folders({ account, folders, mayEdit, take }: FoldersProps) {
  const { folders: words } = useVideosWords()
  const { counted } = useFormats()
  const [text, setText] = useState('')
  const [isWhole, setWhole] = useState(false)
  const sought = text.trim().toLocaleLowerCase()
  const found = folders.filter(({ name }) => name.toLocaleLowerCase().includes(sought))
  const shown = isWhole ? found : found.slice(0, SHOWN_MAX)
  return (
    <section aria-label={words.title} className={classes.folders}>
      <Heading account={account} mayEdit={mayEdit} />
      {folders.length > FIND_FROM && (
        <TextInput
          size="xs"
          type="search"
          mb={4}
          aria-label={words.find}
          placeholder={words.find}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      <ul className={classes.items}>
        {shown.map((folder) => (
          <FolderItem
            key={folder.id}
            account={account}
            folder={folder}
            mayEdit={mayEdit}
            onDrop={mayEdit ? take(folder) : null}
          />
        ))}
      </ul>
      {shown.length < found.length && (
        <Button variant="subtle" size="compact-xs" onClick={() => setWhole(true)}>
          {counted(words.more, found.length - shown.length)}
        </Button>
      )}
    </section>
  )
}

/** The title of the folders, and where a new one is named. */
function Heading({ account, mayEdit }: { account: string; mayEdit: boolean }) {
  const { folders: words } = useVideosWords()
  const [isNaming, setNaming] = useState(false)
  const create = useCreateFolder(account, () => setNaming(false))
  return (
    <>
      <div className={classes.heading}>
        <h2>{words.title}</h2>
        {mayEdit && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={words.newName}
            title={words.newName}
            aria-expanded={isNaming}
            onClick={() => setNaming(!isNaming)}
          >
            <IconPlus size={16} />
          </ActionIcon>
        )}
      </div>
      {isNaming && (
        <FolderName label={words.newName} save={create} onClose={() => setNaming(false)} />
      )}
    </>
  )
}
