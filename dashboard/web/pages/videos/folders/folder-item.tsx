import { ActionIcon, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { problemOf } from '../../../api/problem.ts'
import type { Folder } from '../../../api/videos.ts'
import { IconFolder, IconPencil, IconTrash } from '../../../icons/icons.tsx'
import { interpolate } from '../../../locales/interpolate.ts'
import { useVideosWords } from '../words.ts'
import { useDeleteFolder, useRenameFolder } from './folder-changes.ts'
import { FolderLink, useDrop } from './folder-link.tsx'
import { FolderName } from './folder-name.tsx'
import classes from './folder-nav.module.css'

const route = getRouteApi('/accounts/$account/videos')

interface Props {
  account: string
  folder: Folder
  mayEdit: boolean
  /** Takes the dragged videos; null for members who may not move them. */
  onDrop: (() => void) | null
}

/** A folder at the side: it leads to its videos, takes dragged ones, and is renamed in place. */
export function FolderItem({ account, folder, mayEdit, onDrop }: Props) {
  const { folders: words } = useVideosWords()
  const { folder: current } = route.useSearch()
  const navigate = route.useNavigate()
  const [isRenaming, setRenaming] = useState(false)
  const drop = useDrop(onDrop)
  const rename = useRenameFolder(account, folder, () => setRenaming(false))
  const isChosen = current === folder.id
  const remove = useDeleteFolder(account, folder, () => {
    if (isChosen) void navigate({ search: (now) => ({ ...now, folder: undefined }) })
  })
  if (isRenaming)
    return (
      <li>
        <FolderName
          label={interpolate(words.rename, { name: folder.name })}
          initial={folder.name}
          save={rename}
          onClose={() => setRenaming(false)}
        />
      </li>
    )
  return (
    <li {...drop} className={classes.item}>
      <FolderLink
        account={account}
        folder={folder.id}
        isChosen={isChosen}
        icon={<IconFolder size={16} />}
        name={folder.name}
        count={folder.video_count}
      />
      {mayEdit && (
        <div className={classes.actions} data-chosen={isChosen}>
          <Change
            label={interpolate(words.change, { name: folder.name })}
            isChosen={isChosen}
            onClick={() => setRenaming(true)}
          >
            <IconPencil size={14} />
          </Change>
          <Change
            label={interpolate(words.remove, { name: folder.name })}
            isChosen={isChosen}
            isPending={remove.isPending}
            onClick={() => remove.mutate()}
          >
            <IconTrash size={14} />
          </Change>
        </div>
      )}
      {remove.error && (
        <Text size="xs" c="var(--danger-text)" role="alert" className={classes.problem}>
          {problemOf(remove.error).message}
        </Text>
      )}
    </li>
  )
}

interface ChangeProps {
  label: string
  isChosen: boolean
  isPending?: boolean
  onClick: () => void
  children: ReactNode
}

/** Tab stops at the buttons of the chosen folder only, so that it passes the others quickly; a pointer finds those of each. */
const Change = ({ label, isChosen, isPending = false, onClick, children }: ChangeProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size="sm"
    tabIndex={isChosen ? 0 : -1}
    aria-label={label}
    title={label}
    loading={isPending}
    onClick={onClick}
  >
    {children}
  </ActionIcon>
)
