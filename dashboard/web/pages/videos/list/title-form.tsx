import { Button, Group, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { readableTitle } from '../../../../../domain/videos/readable-title.ts'
import { apiOf, unwrap } from '../../../api/client.ts'
import { problemOf } from '../../../api/problem.ts'
import type { Video } from '../../../api/videos.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { useWords } from '../../../locales/words.tsx'
import { useVideosWords } from '../words.ts'
import classes from './title-form.module.css'

interface Props {
  account: string
  video: Video
  onClose: () => void
}

/** Takes a better title of a video in place, beginning with the words of the file name. */
export function TitleForm({ account, video, onClose }: Props) {
  const { parts, videos } = useWords()
  const { list, details } = useVideosWords()
  const client = useQueryClient()
  const [title, setTitle] = useState(() => readableTitle(video.title))
  const save = useMutation({
    mutationFn: () => {
      const { title: before, description, folder_id } = video
      const params = { path: { id: video.id } }
      const body = { title: title.trim(), from: { title: before, description, folder_id } }
      return unwrap(apiOf(account).PATCH('/videos/{id}', { params, body }))
    },
    async onSuccess() {
      await client.invalidateQueries({ queryKey: ['videos', account] })
      await client.invalidateQueries({ queryKey: ['video', account] })
      onClose()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (title.trim() !== '') save.mutate()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onClose()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape in its field.
    <form className={classes.form} onSubmit={submit} onKeyDown={onKeyDown}>
      <TextInput
        size="xs"
        aria-label={interpolate(list.titleOf, {
          title: video.title.trim() || videos.untitled,
        })}
        placeholder={details.name}
        value={title}
        onChange={({ currentTarget }) => setTitle(currentTarget.value)}
        error={save.error && problemOf(save.error).message}
        ref={selectOnce}
        required
        dir="auto"
      />
      <Group gap="xs">
        <Button type="submit" size="compact-xs" loading={save.isPending}>
          {details.save}
        </Button>
        <Button size="compact-xs" variant="default" onClick={onClose}>
          {parts.cancel}
        </Button>
      </Group>
    </form>
  )
}

/** Focuses a field with its text selected, so that another text can be typed at once. */
const selectOnce = (field: HTMLInputElement | null): void => field?.select()
