import { TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { createLazyRoute, getRouteApi, useNavigate } from '@tanstack/react-router'
import { isFileLink, readableTitleOfUrl } from '../../../../../domain/videos/readable-title.ts'
import type { VideosFilter } from '../../../api/video-search/filter.ts'
import { useWords } from '../../../locales/words.tsx'
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx'
import type { FieldProps } from '../../../parts/forms/form-fields.ts'
import { offerFiles } from '../../../uploads/offered-files.ts'
import type { ChosenFile } from '../../../uploads/queue/upload-item.ts'
import { FolderSelect } from '../folders/folder-select.tsx'
import { useVideosWords } from '../words.ts'
import classes from './add-video.module.css'
import { ChooseFiles } from './choose-files.tsx'
import { NEW_FOLDER, useAddVideo, type NewVideo } from './use-add-video.ts'

const route = getRouteApi('/accounts/$account/videos/add')

/** The dialog that adds videos: files of this device, or one by its link. A refusal is shown at its field; what was typed stays. */
function AddVideo() {
  const { add: words } = useWords()
  const { account } = route.useParams()
  const navigate = useNavigate()
  const { folder } = route.useSearch()
  const form = useForm({ initialValues: newVideoIn(folder) })
  const add = useAddVideo(account, (folder) => form.setFieldValue('folder_id', folder))
  const close = (): void =>
    void navigate({
      from: '/accounts/$account/videos/add',
      to: '/accounts/$account/videos',
      params: { account },
      search: (now) => now,
    })
  const send = (files: readonly ChosenFile<File>[]): void => {
    offerFiles(account, files)
    close()
  }
  return (
    <FormDialog
      title={words.title}
      form={form}
      save={add}
      submit={words.submit}
      size="xl"
      onClose={close}
    >
      {(field) => (
        <>
          <Folder account={account} form={form} field={field} />
          <div className={classes.sides}>
            <FromDevice form={form} onFiles={send} />
            <FromLink form={form} field={field} />
          </div>
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

interface PartProps {
  form: UseFormReturnType<NewVideo>
  field: FieldProps<NewVideo>
}

function Folder({ account, form, field }: PartProps & { account: string }) {
  const { add: words } = useWords()
  const { add: texts } = useVideosWords()
  return (
    <div className={classes.folder}>
      <FolderSelect {...field('folder_id')} account={account} label={words.folder}>
        <option value={NEW_FOLDER}>{texts.newFolder}</option>
      </FolderSelect>
      {form.values.folder_id === NEW_FOLDER && (
        <TextInput {...field('name')} label={texts.newFolderName} dir="auto" required />
      )}
    </div>
  )
}

interface FromDeviceProps {
  form: UseFormReturnType<NewVideo>
  onFiles: (files: readonly ChosenFile<File>[]) => void
}

/** Files go into the folder of the form; those of a folder that was chosen into one of its name. */
function FromDevice({ form, onFiles }: FromDeviceProps) {
  const { add: texts } = useVideosWords()
  const { folder_id: chosen, name } = form.values
  const isNew = chosen === NEW_FOLDER
  const folder = isNew ? name.trim().normalize('NFC') : Number(chosen) || null
  const take = (files: readonly ChosenFile<File>[]): void => {
    if (folder === '') form.setFieldError('name', texts.nameFirst)
    else onFiles(files.map((one) => ({ ...one, folder: one.folder ?? folder })))
  }
  return (
    <section className={classes.side} aria-label={texts.fromDevice}>
      <h3>{texts.fromDevice}</h3>
      <ChooseFiles onFiles={take} />
    </section>
  )
}

function FromLink({ form, field }: PartProps) {
  const { add: words } = useWords()
  const { add: texts } = useVideosWords()
  const title = useSuggestedTitle(form)
  return (
    <section className={classes.side} aria-label={texts.fromLink}>
      <h3>{texts.fromLink}</h3>
      <TextInput
        {...field('source_url')}
        onChange={({ currentTarget }) => title.takeLink(currentTarget.value)}
        type="url"
        label={words.link}
        description={words.linkHint}
        placeholder="https://files.example.com/video.mp4"
        dir="ltr"
        required
      />
      <TextInput {...field('title')} label={words.name} description={title.hint} dir="auto" />
    </section>
  )
}

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
