import { Button, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiOf, unwrap } from '../../../api/client.ts'
import type { Caption } from '../../../api/video-parts.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { useWords } from '../../../locales/words.tsx'
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx'
import { useVideosWords } from '../words.ts'

interface Props {
  account: string
  video: string
  caption: Caption
}

/** The button that deletes a caption, with the dialog that asks first. */
export function DeleteCaption({ account, video, caption }: Props) {
  const { deletion } = useWords()
  const { captions: words } = useVideosWords()
  const [isOpen, setOpen] = useState(false)
  const client = useQueryClient()
  const { language_code: code, label } = caption
  const remove = useMutation({
    mutationFn: () => {
      const params = { path: { id: video, language_code: code } }
      const path = '/v1/videos/{id}/captions/{language_code}'
      return unwrap(apiOf(account).DELETE(path, { params }))
    },
    async onSuccess() {
      setOpen(false)
      await client.invalidateQueries({ queryKey: ['captions', account, video] })
      await client.invalidateQueries({ queryKey: ['video', account, video] })
    },
  })
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setOpen(true)}>
        {deletion.button}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={words.deleteTitle}
          expected={code}
          submit={words.deleteSubmit}
          action={remove}
          onClose={() => setOpen(false)}
        >
          <Text size="sm">{interpolate(words.deleteText, { label })}</Text>
        </ConfirmDialog>
      )}
    </>
  )
}
