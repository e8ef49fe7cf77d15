import { ActionIcon, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { apiOf, unwrap } from '../../../api/client.ts'
import { problemOf } from '../../../api/problem.ts'
import { foldersQuery, videosFilter, type Folder } from '../../../api/videos.ts'
import { IconTrash } from '../../../icons/icons.tsx'
import { interpolate } from '../../../locales/interpolate.ts'
import { Dialog } from '../../../parts/dialogs/dialog.tsx'
import { ErrorState } from '../../../parts/error-state.tsx'
import classes from '../videos.module.css'
import { useVideosWords } from '../words.ts'

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

/** What shows folders is loaded again. */
function useFoldersChanged(account: string): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ['folders', account] })
}

function NewFolder({ account }: { account: string }) {
  const { folders: words } = useVideosWords()
  const changed = useFoldersChanged(account)
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: () => unwrap(apiOf(account).POST('/v1/folders', { body: { name: name.trim() } })),
    async onSuccess() {
      setName('')
      await changed()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate()
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
  const changed = useFoldersChanged(account)
  const [name, setName] = useState(folder.name)
  const params = { path: { id: folder.id } }
  const rename = useMutation({
    mutationFn: () =>
      unwrap(apiOf(account).PATCH('/v1/folders/{id}', { params, body: { name: name.trim() } })),
    onSuccess: changed,
  })
  const remove = useMutation({
    mutationFn: () => unwrap(apiOf(account).DELETE('/v1/folders/{id}', { params })),
    onSuccess: changed,
  })
  const isChanged = name.trim() !== folder.name
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isChanged) rename.mutate()
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
