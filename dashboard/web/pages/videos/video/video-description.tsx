import { Button, Group, Text, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { isSame } from '../../../../../domain/accounts/audit.ts'
import { apiOf } from '../../../api/client.ts'
import { useMayEdit } from '../../../api/me.ts'
import { outcomeOf } from '../../../api/stale.ts'
import { videoQuery, type Video } from '../../../api/videos.ts'
import { IconPencil } from '../../../icons/icons.tsx'
import { useWords } from '../../../locales/words.tsx'
import { ErrorState } from '../../../parts/error-state.tsx'
import { focusOnce } from '../../../parts/focus/focus-once.ts'
import { fieldsOf, type FieldProps } from '../../../parts/forms/form-fields.ts'
import { isUndecided, useTwoEdits } from '../../../parts/forms/two-edits.ts'
import { useUnsavedChanges } from '../../../parts/forms/unsaved-changes.ts'
import layout from '../../../parts/layout.module.css'
import { Section } from '../../../parts/section.tsx'
import { FolderSelect } from '../folders/folder-select.tsx'
import { useVideosWords } from '../words.ts'
import { VideoConflict, type Edit } from './video-conflict.tsx'
import classes from './video-page.module.css'

const route = getRouteApi('/accounts/$account/videos/$video/')

interface Props {
  account: string
  video: Video
}

/** The description; title, description and folder are edited in its place. */
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

function EditForm({ account, video, onClose }: Props & { onClose: () => void }) {
  const { parts } = useWords()
  const { details } = useVideosWords()
  const client = useQueryClient()
  // Not the latest: a field that another member has changed since is not an edit of this form.
  const editing = useTwoEdits(editOf(video))
  const { opened, form, conflict } = editing
  const change = changeOf(opened, form.values)
  const isDirty = Object.values(change).some((value) => value !== undefined)
  const save = useMutation({
    mutationFn: () => {
      const params = { path: { id: video.id } }
      const body = { ...change, from: opened }
      return outcomeOf(apiOf(account).PATCH('/videos/{id}', { params, body }))
    },
    async onSuccess({ kind, current }) {
      client.setQueryData(videoQuery(account, video.id).queryKey, current)
      // Without a difference, this save was made before, and its response was lost.
      if (kind === 'stale' && !isSame(form.values, editOf(current)))
        return editing.meet(editOf(current))
      await client.invalidateQueries({ queryKey: ['videos', account] })
      onClose()
    },
  })
  useUnsavedChanges(isDirty && save.data?.kind !== 'saved')
  const { field, problem } = fieldsOf(form, save.error)
  const submit = form.onSubmit(() => (isDirty ? save.mutate() : onClose()))
  return (
    <form onSubmit={submit} className={layout.section} aria-label={details.title}>
      {problem && <ErrorState error={problem} />}
      {conflict && <VideoConflict account={account} editing={editing} conflict={conflict} />}
      <EditFields account={account} form={form} field={field} />
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
  form: UseFormReturnType<Edit>
  field: FieldProps<Edit>
}

function EditFields({ account, form, field }: FieldsProps) {
  const { details } = useVideosWords()
  return (
    <>
      <TextInput {...field('title')} label={details.name} dir="auto" ref={focusOnce} />
      <Textarea
        {...field('description')}
        label={details.description}
        autosize
        minRows={4}
        maxRows={14}
        dir="auto"
      />
      <FolderSelect
        {...field('folder_id')}
        account={account}
        label={details.folder}
        value={form.values.folder_id ?? ''}
        onChange={({ currentTarget }) =>
          form.setFieldValue('folder_id', Number(currentTarget.value) || null)
        }
      />
    </>
  )
}
