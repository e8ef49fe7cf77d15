import { Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  saveRecordStore,
  type RecordStore,
  type StoreForm as Values,
} from '../../../api/record-store.ts'
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx'
import { PasswordField } from '../../../parts/forms/password-field.tsx'
import { useDeveloperWords } from '../words.ts'

interface Props {
  account: string
  /** The present one; null to set up the first. */
  store: RecordStore | null
  onClose: () => void
}

/** The dialog that sets up the record store, or changes it. The password is typed, and kept nowhere else. */
export function StoreForm({ account, store, onClose }: Props) {
  const { recordStore: words, endpointForm } = useDeveloperWords()
  const client = useQueryClient()
  const form = useForm<Values>({ initialValues: valuesOf(store) })
  const save = useMutation({
    mutationFn: (values: Values) => saveRecordStore(account, values),
    gcTime: 0,
    async onSuccess() {
      await client.invalidateQueries({ queryKey: ['record-store', account] })
      onClose()
    },
  })
  return (
    <FormDialog
      title={store ? words.editTitle : words.addTitle}
      submit={store ? endpointForm.save : words.add}
      form={form}
      save={save}
      size="lg"
      onClose={onClose}
    >
      {(field) => (
        <>
          <TextInput
            {...field('url')}
            type="url"
            label={words.url}
            description={words.urlHint}
            placeholder="https://lrs.example.com/xapi"
            dir="ltr"
            required
            data-autofocus
          />
          <TextInput
            {...field('username')}
            label={words.username}
            dir="ltr"
            autoComplete="off"
            required
          />
          <PasswordField
            {...field('password')}
            label={words.password}
            description={store ? words.passwordKept : words.passwordHint}
            dir="ltr"
            autoComplete="new-password"
            required={store === null}
          />
          <TextInput
            {...field('home_page')}
            label={words.homePage}
            description={words.homePageHint}
            placeholder="https://school.example.com"
            dir="ltr"
            required
          />
          <Switch
            label={words.isActive}
            checked={form.values.is_active}
            onChange={(event) => form.setFieldValue('is_active', event.currentTarget.checked)}
          />
        </>
      )}
    </FormDialog>
  )
}

const valuesOf = (store: RecordStore | null): Values => ({
  url: store?.url ?? '',
  username: store?.username ?? '',
  password: '',
  home_page: store?.home_page ?? '',
  is_active: store?.is_active ?? true,
})
