import { Button, Group, NativeSelect, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { answerOf, apiOf } from '../../api/client.ts'
import { foldersQuery } from '../../api/videos.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { useFormats } from '../../parts/formats.ts'
import { fill } from '../../words/fill.ts'
import { useWords } from '../../words/words.tsx'
import { useVideosWords } from './words.ts'

interface Props {
  account: string
  ids: string[]
  onClose: () => void
  onDone: () => void
}

/** The dialog that moves the chosen videos to a folder, or out of any. */
export function MoveVideos({ account, ids, onClose, onDone }: Props) {
  const { parts, videos, add } = useWords()
  const { list } = useVideosWords()
  const { number } = useFormats()
  const client = useQueryClient()
  const { data: folders = [] } = useQuery(foldersQuery(account))
  const [folderId, setFolderId] = useState<number | null>(null)
  const move = useMutation({
    mutationFn: () =>
      answerOf(apiOf(account).POST('/videos/move', { body: { ids, folder_id: folderId } })),
    async onSuccess() {
      onDone()
      await client.invalidateQueries({ queryKey: ['videos', account] })
      await client.invalidateQueries({ queryKey: ['video', account] })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    move.mutate()
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={fill(list.moveTitle, { number: number(ids.length) })}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <form onSubmit={submit}>
        <Stack>
          {move.error && <ErrorState error={move.error} />}
          <NativeSelect
            label={videos.folder}
            value={folderId ?? ''}
            onChange={({ currentTarget }) => setFolderId(Number(currentTarget.value) || null)}
            data-autofocus
          >
            <option value="">{add.noFolder}</option>
            {folders.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </NativeSelect>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {parts.cancel}
            </Button>
            <Button type="submit" loading={move.isPending}>
              {list.move}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
