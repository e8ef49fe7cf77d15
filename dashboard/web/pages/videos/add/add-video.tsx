import { TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { createLazyRoute, getRouteApi, useNavigate } from '@tanstack/react-router'
import { isFileLink, readableTitleOfUrl } from '../../../../../domain/videos/readable-title.ts'
import type { VideosFilter } from '../../../api/videos.ts'
import { useWords } from '../../../locales/words.tsx'
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx'
import { FolderSelect } from '../folders/folder-select.tsx'
import { useVideosWords } from '../words.ts'
import { NEW_FOLDER, useAddVideo, type NewVideo } from './use-add-video.ts'

const route = getRouteApi('/accounts/$account/videos/add')

/** The dialog that adds a video by its link. A refusal is shown at its field; what was typed stays. */
function AddVideo() {
  const { add: words } = useWords()
  const { add: texts } = useVideosWords()
  const { account } = route.useParams()
  const navigate = useNavigate()
  const { folder } = route.useSearch()
  const form = useForm({ initialValues: newVideoIn(folder) })
  const title = useSuggestedTitle(form)
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
            onChange={({ currentTarget }) => title.takeLink(currentTarget.value)}
            type="url"
            label={words.link}
            description={words.linkHint}
            placeholder="https://files.example.com/video.mp4"
            dir="ltr"
            required
            data-autofocus
          />
          <TextInput {...field('title')} label={words.name} description={title.hint} dir="auto" />
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

/** A form without values, but for the folder that the list shows. */
const newVideoIn = (folder: VideosFilter['folder']): NewVideo => ({
  source_url: '',
  title: '',
  folder_id: typeof folder === 'number' ? String(folder) : '',
  name: '',
})

/**
 * Suggests a title for the file of the link, until another one is typed. For a file name that says little, such as
 * `IMG_2041.MOV`, the hint asks for a title.
 */
function useSuggestedTitle(form: UseFormReturnType<NewVideo>) {
  const { add: words } = useWords()
  const { add: texts } = useVideosWords()
  const { source_url: link, title } = form.values
  const suggestion = readableTitleOfUrl(link)
  const isUnclear = suggestion === '' && title === '' && isFileLink(link)
  return {
    hint: isUnclear
      ? texts.askTitle
      : title !== '' && title === suggestion
        ? texts.titleFromLink
        : words.nameHint,
    takeLink(next: string): void {
      if (title === suggestion) form.setFieldValue('title', readableTitleOfUrl(next))
      form.setFieldValue('source_url', next)
    },
  }
}

export const addVideoRoute = createLazyRoute('/accounts/$account/videos/add')({
  component: AddVideo,
})
