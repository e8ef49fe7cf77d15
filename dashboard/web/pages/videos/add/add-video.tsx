import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { createLazyRoute, getRouteApi, useNavigate } from '@tanstack/react-router'
import { useWords } from '../../../locales/words.tsx'
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx'
import { FolderSelect } from '../folders/folder-select.tsx'
import { useVideosWords } from '../words.ts'
import { NEW_FOLDER, useAddVideo, type NewVideo } from './use-add-video.ts'

const route = getRouteApi('/accounts/$account/videos/add')

const EMPTY: NewVideo = { source_url: '', title: '', folder_id: '', name: '' }

/** The dialog that adds a video by its link. A refusal is shown at its field; what was typed stays. */
function AddVideo() {
  const { add: words } = useWords()
  const { add: texts } = useVideosWords()
  const { account } = route.useParams()
  const navigate = useNavigate()
  const form = useForm({ initialValues: EMPTY })
  const add = useAddVideo(account, (folder) => form.setFieldValue('folder_id', folder))
  const close = (): void =>
    void navigate({
      from: '/accounts/$account/videos/add',
      to: '/accounts/$account/videos',
      params: { account },
      search: (now) => now,
    })
  return (
    <FormDialog title={words.title} form={form} save={add} submit={words.submit} onClose={close}>
      {(field) => (
        <>
          <TextInput
            {...field('source_url')}
            type="url"
            label={words.link}
            description={words.linkHint}
            placeholder="https://files.example.com/video.mp4"
            dir="ltr"
            required
            data-autofocus
          />
          <TextInput
            {...field('title')}
            label={words.name}
            description={words.nameHint}
            dir="auto"
          />
          <FolderSelect {...field('folder_id')} account={account} label={words.folder}>
            <option value={NEW_FOLDER}>{texts.newFolder}</option>
          </FolderSelect>
          {form.values.folder_id === NEW_FOLDER && (
            <TextInput {...field('name')} label={texts.newFolderName} dir="auto" required />
          )}
        </>
      )}
    </FormDialog>
  )
}

export const addVideoRoute = createLazyRoute('/accounts/$account/videos/add')({
  component: AddVideo,
})
