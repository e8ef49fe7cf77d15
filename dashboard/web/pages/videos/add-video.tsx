import { Button, Group, Stack, TextInput } from '@mantine/core'
import { createLazyRoute, getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { useWords } from '../../words/words.tsx'
import { FolderChoice, NO_FOLDER } from './folder-choice.tsx'
import { useAddVideo } from './use-add-video.ts'

const route = getRouteApi('/accounts/$account/videos/add')

/** The dialog that adds a video by its link. A refusal is shown at its field; what was typed stays. */
function AddVideo() {
  const words = useWords()
  const { account } = route.useParams()
  const navigate = useNavigate()
  const [folder, setFolder] = useState(NO_FOLDER)
  const { add, otherError, errorAt } = useAddVideo(account, setFolder)
  const close = (): void =>
    void navigate({
      from: '/accounts/$account/videos/add',
      to: '/accounts/$account/videos',
      params: { account },
      search: (now) => now,
    })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    add.mutate({ sourceUrl: textOf(form, 'source_url'), title: textOf(form, 'title'), folder })
  }
  return (
    <Dialog
      opened
      onClose={close}
      title={words.add.title}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': words.parts.close }}
    >
      <form onSubmit={submit}>
        <Stack>
          {otherError !== null && <ErrorState error={otherError} />}
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
          <FolderChoice
            account={account}
            chosen={folder}
            onChoose={setFolder}
            error={errorAt('folder_id')}
            nameError={errorAt('name')}
          />
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
    </Dialog>
  )
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

export const addVideoRoute = createLazyRoute('/accounts/$account/videos/add')({
  component: AddVideo,
})
