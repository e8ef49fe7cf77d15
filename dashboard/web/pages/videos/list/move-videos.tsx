import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { apiOf, unwrap } from '../../../api/client.ts'
import { useWords } from '../../../locales/words.tsx'
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { FolderSelect } from '../folders/folder-select.tsx'
import { useVideosWords } from '../words.ts'

interface Props {
  account: string
  ids: string[]
  onClose: () => void
  onDone: () => void
}

/** The dialog that moves the chosen videos to a folder, or out of any. */
export function MoveVideos({ account, ids, onClose, onDone }: Props) {
  const { videos } = useWords()
  const { list } = useVideosWords()
  const { counted } = useFormats()
  const client = useQueryClient()
  const form = useForm({ initialValues: { folder_id: '' } })
  const move = useMutation({
    mutationFn: ({ folder_id: folderId }: typeof form.values) => {
      const body = { ids, folder_id: Number(folderId) || null }
      return unwrap(apiOf(account).POST('/videos/move', { body }))
    },
    async onSuccess() {
      onDone()
      await client.invalidateQueries({ queryKey: ['videos', account] })
      await client.invalidateQueries({ queryKey: ['video', account] })
    },
  })
  return (
    <FormDialog
      title={counted(list.moveTitle, ids.length)}
      form={form}
      save={move}
      submit={list.move}
      closeOnClickOutside
      onClose={onClose}
    >
      {(field) => (
        <FolderSelect
          {...field('folder_id')}
          account={account}
          label={videos.folder}
          data-autofocus
        />
      )}
    </FormDialog>
  )
}
