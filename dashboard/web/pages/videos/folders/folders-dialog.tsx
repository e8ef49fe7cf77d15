import { ActionIcon, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { problemOf } from '../../../api/problem.ts'
import { videosFilter } from '../../../api/video-search/filter.ts'
import { foldersQuery, type Folder } from '../../../api/videos.ts'
import { IconTrash } from '../../../icons/icons.tsx'
import { interpolate } from '../../../locales/interpolate.ts'
import { Dialog } from '../../../parts/dialogs/dialog.tsx'
import { ErrorState } from '../../../parts/error-state.tsx'
import { useVideosWords } from '../words.ts'
import { useCreateFolder, useDeleteFolder, useRenameFolder } from './folder-changes.ts'
import classes from './folders-dialog.module.css'

const route = getRouteApi('/accounts/$account/videos/folders')

/** The dialog that creates, renames and deletes folders. */
function FoldersDialog() {
  const { folders: words } = useVideosWords()
  const { account } = route.useParams()
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(foldersQuery(account))
  const close = (): void =>
    void navigate({ to: '/accounts/$account/videos', params: { account }, search: videosFilter })
  return (
    <Dialog opened onClose={close} title={words.title}>
      <Stack>
        {error && <ErrorState error={error} retry={() => void refetch()} />}
        {!data && !error && <Skeleton height={80} />}
        {data?.length === 0 && (
          <Text size="sm" c="dimmed">
            {words.empty}
          </Text>
        )}
        {data && data.length > 0 && (
          <ul className={classes.folders} aria-label={words.title}>
            {data.map((folder) => (
              <FolderRow key={folder.id} account={account} folder={folder} />
            ))}
          </ul>
        )}
        <NewFolder account={account} />
      </Stack>
    </Dialog>
  )
}

function NewFolder({ account }: { account: string }) {
  const { folders: words } = useVideosWords()
  const [name, setName] = useState('')
  const create = useCreateFolder(account, () => setName(''))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate(name)
  }
  return (
    <form onSubmit={submit} className={classes.folderForm}>
      <TextInput
        className={classes.grow}
        label={words.newName}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={create.error && problemOf(create.error).message}
        required
        dir="auto"
        data-autofocus
      />
      <Button type="submit" loading={create.isPending}>
        {words.create}
      </Button>
    </form>
  )
}

function FolderRow({ account, folder }: { account: string; folder: Folder }) {
  const { folders: words } = useVideosWords()
  const { details } = useVideosWords()
  const [name, setName] = useState(folder.name)
  const rename = useRenameFolder(account, folder)
  const remove = useDeleteFolder(account, folder)
  const isChanged = name.trim() !== folder.name
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isChanged) rename.mutate(name)
  }
  const error = rename.error ?? remove.error
  const removeLabel = interpolate(words.remove, { name: folder.name })
  return (
    <li>
      <form onSubmit={submit} className={classes.folderForm}>
        <TextInput
          className={classes.grow}
          aria-label={interpolate(words.rename, { name: folder.name })}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={error && problemOf(error).message}
          required
          dir="auto"
        />
        <Group gap="xs" wrap="nowrap">
          {isChanged && (
            <Button type="submit" loading={rename.isPending}>
              {details.save}
            </Button>
          )}
          {/* Nothing is lost: the API refuses to delete a folder with videos. */}
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={removeLabel}
            title={removeLabel}
            loading={remove.isPending}
            onClick={() => remove.mutate()}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      </form>
    </li>
  )
}

export const foldersRoute = createLazyRoute('/accounts/$account/videos/folders')({
  component: FoldersDialog,
})
