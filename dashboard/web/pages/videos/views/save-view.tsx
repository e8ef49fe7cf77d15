import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { SAVED_VIEW_NAME_MAX_LENGTH, SAVED_VIEWS_MAX } from '../../../../../domain/limits.ts'
import type { VideosMatch } from '../../../api/video-search/filter.ts'
import { savedViewsQuery } from '../../../api/video-search/saved-views.ts'
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx'
import { useVideosWords } from '../words.ts'
import { useSaveView } from './view-changes.ts'

interface Props {
  account: string
  /** What is saved. */
  match: VideosMatch
  onClose: () => void
}

/** The dialog that saves filters and order under a name, also in place of a view that has it. */
export function SaveView({ account, match, onClose }: Props) {
  const { views: words, details } = useVideosWords()
  const { data: views = [] } = useQuery(savedViewsQuery(account))
  const form = useForm({ initialValues: { name: '' } })
  const save = useSaveView(account, onClose)
  const name = form.values.name.trim()
  const present = views.find((view) => view.name === name)
  const isFull = !present && views.length >= SAVED_VIEWS_MAX
  const hint = isFull ? words.full : present && words.taken
  return (
    <FormDialog
      title={words.save}
      form={form}
      save={{ ...save, mutate: () => save.mutate({ name, match, present }) }}
      submit={present ? words.replace : details.save}
      isReady={name !== '' && !isFull}
      onClose={onClose}
    >
      {(field) => (
        <>
          <TextInput
            {...field('name')}
            label={words.name}
            maxLength={SAVED_VIEW_NAME_MAX_LENGTH}
            autoComplete="off"
            dir="auto"
            data-autofocus
          />
          <Text size="sm" c="dimmed" component="output">
            {hint}
          </Text>
        </>
      )}
    </FormDialog>
  )
}
