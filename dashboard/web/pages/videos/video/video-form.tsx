import { Button, Group, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isSame } from '../../../../../domain/accounts/audit.ts'
import { EXTERNAL_ID_MAX_LENGTH, TAGS_MAX } from '../../../../../domain/limits.ts'
import { apiOf } from '../../../api/client.ts'
import { problemOf } from '../../../api/problem.ts'
import { outcomeOf } from '../../../api/stale.ts'
import { videoQuery, type Video } from '../../../api/videos.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { useWords } from '../../../locales/words.tsx'
import { ErrorState } from '../../../parts/error-state.tsx'
import { focusOnce } from '../../../parts/focus/focus-once.ts'
import { fieldsOf, type FieldProps } from '../../../parts/forms/form-fields.ts'
import { isUndecided, useTwoEdits, type TwoEdits } from '../../../parts/forms/two-edits.ts'
import { useUnsavedChanges } from '../../../parts/forms/unsaved-changes.ts'
import layout from '../../../parts/layout.module.css'
import { FolderSelect } from '../folders/folder-select.tsx'
import { ExternalIdTaken } from '../own/external-id-taken.tsx'
import { MetadataField } from '../own/metadata-field.tsx'
import { faultsOfRows } from '../own/metadata-rows.ts'
import { TagField } from '../own/tag-field.tsx'
import { useVideosWords } from '../words.ts'
import { VideoConflict } from './video-conflict.tsx'
import { changeOf, fromOf, toEdit, toEditBeside, type Edit } from './video-edit.ts'

interface Props {
  account: string
  video: Video
  onClose: () => void
}

/** The form of a video: title, description, folder, and what the integrator keeps with it. */
export function VideoForm({ account, video, onClose }: Props) {
  const { parts } = useWords()
  const words = useVideosWords()
  const { details } = words
  // Not the latest: a field that another member has changed since is not an edit of this form.
  const editing = useTwoEdits(toEdit(video), ({ metadata }) => faultsOfRows(metadata, words))
  const { opened, form, conflict } = editing
  const change = changeOf(opened, form.values)
  const isDirty = Object.values(change).some((value) => value !== undefined)
  const save = useSave(account, video, editing, onClose)
  useUnsavedChanges(isDirty && save.data?.kind !== 'saved')
  const { field, problem } = fieldsOf(form, save.error)
  const submit = form.onSubmit(() => (isDirty ? save.mutate(change) : onClose()))
  return (
    <form onSubmit={submit} className={layout.section} aria-label={details.title}>
      {problem && <ErrorState error={problem} />}
      {conflict && <VideoConflict account={account} editing={editing} conflict={conflict} />}
      <EditFields
        account={account}
        form={form}
        field={field}
        taken={takenOf(account, save.error)}
      />
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

/** Saves a change that starts from what the form has opened. */
function useSave(
  account: string,
  video: Video,
  { opened, form, meet }: TwoEdits<Edit>,
  onClose: () => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: ReturnType<typeof changeOf>) => {
      const params = { path: { id: video.id } }
      const body = { ...change, from: fromOf(opened) }
      return outcomeOf(apiOf(account).PATCH('/videos/{id}', { params, body }))
    },
    async onSuccess({ kind, current }) {
      client.setQueryData(videoQuery(account, video.id).queryKey, current)
      const theirs = toEditBeside(current, form.values)
      // Without a difference, this save was made before, and its response was lost.
      if (kind === 'stale' && !isSame(form.values, theirs)) return meet(theirs)
      await client.invalidateQueries({ queryKey: ['videos', account] })
      onClose()
    },
  })
}

/** What the field of the external id shows if another video has it; null otherwise. */
function takenOf(account: string, error: unknown): ReactNode {
  const { code, holder } = problemOf(error)
  return code === 'external_id_taken' && holder !== null ? (
    <ExternalIdTaken account={account} holder={holder} />
  ) : null
}

interface FieldsProps {
  account: string
  form: UseFormReturnType<Edit>
  field: FieldProps<Edit>
  taken: ReactNode
}

function EditFields({ account, form, field, taken }: FieldsProps) {
  const { details, own } = useVideosWords()
  const { error: tagsError } = field('tags')
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
      <TextInput
        {...field('external_id')}
        {...(taken !== null && { error: taken })}
        label={own.externalId}
        description={own.externalIdHint}
        maxLength={EXTERNAL_ID_MAX_LENGTH}
        autoComplete="off"
        dir="auto"
      />
      <TagField
        label={own.tags}
        description={interpolate(own.tagsHint, { number: TAGS_MAX })}
        tags={form.values.tags}
        max={TAGS_MAX}
        error={tagsError}
        onChange={(tags) => form.setFieldValue('tags', tags)}
      />
      <MetadataField
        rows={form.values.metadata}
        errors={{ ...form.errors, metadata: field('metadata').error }}
        onChange={(rows) => {
          form.setFieldValue('metadata', rows)
          // What is wrong with a row is shown at its place, which may be that of another one now.
          form.clearErrors()
        }}
      />
    </>
  )
}
