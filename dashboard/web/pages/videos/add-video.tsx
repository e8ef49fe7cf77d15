import { Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi, useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { answerOf, apiOf } from '../../api/client.ts'
import { problemOf } from '../../api/problem.ts'
import { foldersQuery } from '../../api/videos.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { useWords } from '../../words/words.tsx'

const route = getRouteApi('/accounts/$account/videos/add')

const FIELDS: readonly (string | null)[] = ['source_url', 'title', 'folder_id']

/** The dialog that adds a video by its link. A refusal is shown at its field; what was typed stays. */
function AddVideo() {
  const words = useWords()
  const { account } = route.useParams()
  const navigate = useNavigate()
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: (form: FormData) =>
      answerOf(apiOf(account).POST('/v1/videos', { body: bodyOf(form) })),
    async onSuccess({ id }) {
      await client.invalidateQueries({ queryKey: ['videos', account] })
      await navigate({ to: '/accounts/$account/videos/$video', params: { account, video: id } })
    },
  })
  const problem = add.error && problemOf(add.error)
  const errorAt = (field: string) => (problem?.field === field ? problem.message : undefined)
  const close = (): void =>
    void navigate({
      from: '/accounts/$account/videos/add',
      to: '/accounts/$account/videos',
      params: { account },
      search: (now) => now,
    })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    add.mutate(new FormData(event.currentTarget))
  }
  return (
    <Modal
      opened
      onClose={close}
      title={words.add.title}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': words.parts.close }}
    >
      <form onSubmit={submit}>
        <Stack>
          {problem && !FIELDS.includes(problem.field) && <ErrorState error={problem} />}
          <TextInput
            name="source_url"
            type="url"
            label={words.add.link}
            description={words.add.linkHint}
            placeholder="https://files.example.com/video.mp4"
            error={errorAt('source_url')}
            dir="ltr"
            required
            data-autofocus
          />
          <TextInput
            name="title"
            label={words.add.name}
            description={words.add.nameHint}
            error={errorAt('title')}
            dir="auto"
          />
          <FolderChoice account={account} error={errorAt('folder_id')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {words.parts.cancel}
            </Button>
            <Button type="submit" loading={add.isPending}>
              {words.add.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function FolderChoice({ account, error }: { account: string; error: string | undefined }) {
  const { add } = useWords()
  const { data: folders = [] } = useQuery(foldersQuery(account))
  if (folders.length === 0) return null
  return (
    <NativeSelect name="folder_id" label={add.folder} error={error}>
      <option value="">{add.noFolder}</option>
      {folders.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </NativeSelect>
  )
}

function bodyOf(form: FormData) {
  const text = (name: string): string => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  return {
    source_url: text('source_url'),
    title: text('title') || undefined,
    folder_id: Number(text('folder_id')) || undefined,
  }
}

export const addVideoRoute = createLazyRoute('/accounts/$account/videos/add')({
  component: AddVideo,
})
