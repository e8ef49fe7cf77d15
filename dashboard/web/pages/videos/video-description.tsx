import { Button, Group, NativeSelect, Text, Textarea, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { isSame } from '../../../../domain/accounts/audit.ts'
import { apiOf } from '../../api/client.ts'
import { useMayEdit } from '../../api/me.ts'
import { problemOf } from '../../api/problem.ts'
import type { Problem } from '../../api/problem.ts'
import { outcomeOf } from '../../api/stale.ts'
import { foldersQuery, videoQuery } from '../../api/videos.ts'
import type { Video } from '../../api/videos.ts'
import { IconPencil } from '../../icons/icons.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { TextLink } from '../../parts/links.tsx'
import { isUndecided, useTwoEdits } from '../../parts/two-edits.ts'
import { useUnsavedChanges } from '../../parts/unsaved-changes.ts'
import { useWords } from '../../words/words.tsx'
import { VideoConflict } from './video-conflict.tsx'
import type { Edit } from './video-conflict.tsx'
import { focusOnce } from './focus-once.ts'
import { useVideosWords } from './words.ts'
import classes from './videos.module.css'

const route = getRouteApi('/accounts/$account/videos/$video/')

interface Props {
  account: string
  video: Video
}

/** Title, description and folder, which are edited in place. */
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
    return <EditForm account={account} video={video} onClose={() => setEditing(false)} />
  return (
    <section className={classes.section} aria-labelledby="details">
      <Group justify="space-between">
        <Title order={2} id="details">
          {details.title}
        </Title>
        {mayEdit && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPencil size={14} />}
            onClick={() => setEditing(true)}
          >
            {details.edit}
          </Button>
        )}
      </Group>
      <Description video={video} />
      <FolderName account={account} video={video} />
    </section>
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

function FolderName({ account, video }: Props) {
  const { video: texts } = useWords()
  const { data: folders = [] } = useQuery(foldersQuery(account))
  const folder = folders.find(({ id }) => id === video.folder_id)
  if (!folder) return null
  return (
    <Text size="sm" c="dimmed">
      {texts.folder}:{' '}
      <TextLink
        size="sm"
        to="/accounts/$account/videos"
        params={{ account }}
        search={{ folder: folder.id }}
        activeOptions={{ exact: true }}
      >
        <bdi>{folder.name}</bdi>
      </TextLink>
    </Text>
  )
}

function EditForm({ account, video, onClose }: Props & { onClose: () => void }) {
  const { parts } = useWords()
  const { details } = useVideosWords()
  const client = useQueryClient()
  // Not the latest: a field that another member has changed since is not an edit of this form.
  const editing = useTwoEdits(editOf(video))
  const { opened, edit, setEdit, conflict } = editing
  const change = changeOf(opened, edit)
  const isDirty = Object.values(change).some((value) => value !== undefined)
  const save = useMutation({
    mutationFn: () => {
      const params = { path: { id: video.id } }
      const body = { ...change, from: opened }
      return outcomeOf(apiOf(account).PATCH('/videos/{id}', { params, body }))
    },
    async onSuccess({ kind, current }) {
      client.setQueryData(videoQuery(account, video.id).queryKey, current)
      // Without a difference, this save was made before, and its answer was lost.
      if (kind === 'stale' && !isSame(edit, editOf(current))) return editing.meet(editOf(current))
      await client.invalidateQueries({ queryKey: ['videos', account] })
      onClose()
    },
  })
  useUnsavedChanges(isDirty && save.data?.kind !== 'saved')
  const problem = save.error && problemOf(save.error)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isDirty) save.mutate()
    else onClose()
  }
  return (
    <form onSubmit={submit} className={classes.section} aria-label={details.title}>
      {problem?.field === null && <ErrorState error={problem} />}
      {conflict && <VideoConflict account={account} editing={editing} conflict={conflict} />}
      <EditFields account={account} edit={edit} problem={problem} onEdit={setEdit} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {parts.cancel}
        </Button>
        <Button type="submit" loading={save.isPending} disabled={isUndecided(conflict)}>
          {details.save}
        </Button>
      </Group>
    </form>
  )
}

const editOf = ({ title, description, folder_id: folderId }: Edit): Edit => ({
  title,
  description,
  folder_id: folderId,
})

/** Only what was changed is sent, so that the change of another member to another field stays. */
const changeOf = (before: Edit, { title, description, folder_id: folderId }: Edit) => ({
  title: title === before.title ? undefined : title,
  description: description === before.description ? undefined : description,
  folder_id: folderId === before.folder_id ? undefined : folderId,
})

interface FieldsProps {
  account: string
  edit: Edit
  problem: Problem | null
  onEdit: (edit: Edit) => void
}

function EditFields({ account, edit, problem, onEdit }: FieldsProps) {
  const { details } = useVideosWords()
  const { data: folders = [] } = useQuery(foldersQuery(account))
  const { title, description, folder_id: folderId } = edit
  const errorAt = (field: string) => (problem?.field === field ? problem.message : undefined)
  return (
    <>
      <TextInput
        label={details.name}
        value={title}
        onChange={({ currentTarget }) =>
          onEdit({ title: currentTarget.value, description, folder_id: folderId })
        }
        error={errorAt('title')}
        dir="auto"
        ref={focusOnce}
      />
      <Textarea
        label={details.description}
        value={description}
        onChange={({ currentTarget }) =>
          onEdit({ title, description: currentTarget.value, folder_id: folderId })
        }
        error={errorAt('description')}
        autosize
        minRows={4}
        maxRows={14}
        dir="auto"
      />
      <NativeSelect
        label={details.folder}
        value={folderId ?? ''}
        onChange={({ currentTarget }) =>
          onEdit({ title, description, folder_id: Number(currentTarget.value) || null })
        }
        error={errorAt('folder_id')}
      >
        <option value="">{details.noFolder}</option>
        {folders.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </NativeSelect>
    </>
  )
}
