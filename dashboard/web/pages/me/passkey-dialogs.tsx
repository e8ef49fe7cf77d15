import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { LABEL_MAX_LENGTH } from '../../../../domain/limits.ts'
import { UnreadablePasskey } from '../../api/browser-passkey.ts'
import { apiOf, unwrap } from '../../api/client.ts'
import type { Passkey } from '../../api/me.ts'
import { addPasskey } from '../../api/passkeys.ts'
import { problemOf, UNEXPECTED } from '../../api/problem.ts'
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx'
import { FormDialog, type Saving } from '../../parts/dialogs/form-dialog.tsx'
import { notify } from '../../parts/notify.ts'
import { useMeWords } from './words.ts'

interface Props {
  account: string
  onClose: () => void
}

interface PasskeyProps extends Props {
  passkey: Passkey
}

/** Loads again what shows passkeys, and says what has been done. */
function useDone(account: string, onClose: () => void): (text: string) => Promise<void> {
  const client = useQueryClient()
  return async (text) => {
    onClose()
    notify(text)
    await client.invalidateQueries({ queryKey: ['passkeys', account] })
    await client.invalidateQueries({ queryKey: ['me', account] })
  }
}

/** Asks for a name and lets the browser make a passkey. */
export function AddPasskey({ account, onClose }: Props) {
  const { passkeys: words } = useMeWords()
  const done = useDone(account, onClose)
  const add = useMutation({
    mutationFn: ({ name }: NameForm) => addPasskey(account, name.trim()),
    onSuccess: () => done(words.added),
  })
  return (
    <NameDialog
      title={words.add}
      text={words.addText}
      initial=""
      submit={words.addSubmit}
      save={add}
      onClose={onClose}
    />
  )
}

export function RenamePasskey({ account, passkey, onClose }: PasskeyProps) {
  const { passkeys: words, save, saved } = useMeWords()
  const done = useDone(account, onClose)
  const rename = useMutation({
    mutationFn: ({ name }: NameForm) => {
      const params = { path: { id: passkey.id } }
      const body = { name: name.trim() }
      return unwrap(apiOf(account).PATCH('/me/passkeys/{id}', { params, body }))
    },
    onSuccess: () => done(saved),
  })
  return (
    <NameDialog
      title={words.renameTitle}
      initial={passkey.name}
      submit={save}
      save={rename}
      onClose={onClose}
    />
  )
}

export function RemovePasskey({ account, passkey, onClose }: PasskeyProps) {
  const { passkeys: words } = useMeWords()
  const done = useDone(account, onClose)
  const remove = useMutation({
    mutationFn: () => {
      const params = { path: { id: passkey.id } }
      return unwrap(apiOf(account).DELETE('/me/passkeys/{id}', { params }))
    },
    onSuccess: () => done(words.removed),
  })
  return (
    <ConfirmDialog
      title={words.removeTitle}
      submit={words.removeSubmit}
      action={remove}
      onClose={onClose}
    >
      <Text size="sm" fw={500}>
        <bdi>{passkey.name}</bdi>
      </Text>
      <Text size="sm">{words.removeText}</Text>
    </ConfirmDialog>
  )
}

interface NameForm {
  name: string
}

interface NameDialogProps {
  title: string
  text?: string
  initial: string
  submit: string
  save: Saving<NameForm>
  onClose: () => void
}

function NameDialog({ text, initial, save, ...dialog }: NameDialogProps) {
  const { passkeys: words } = useMeWords()
  const form = useForm<NameForm>({ initialValues: { name: initial } })
  const failure = ofBrowser(save.error)
  return (
    <FormDialog
      {...dialog}
      size="sm"
      text={
        <>
          {text !== undefined && <Text size="sm">{text}</Text>}
          {failure && (
            <Text size="sm" role="alert">
              {failure instanceof UnreadablePasskey ? words.unreadable : words.notMade}
            </Text>
          )}
        </>
      }
      form={form}
      save={failure ? { ...save, error: null } : save}
      isReady={form.values.name.trim() !== ''}
    >
      {(field) => (
        <TextInput
          {...field('name')}
          label={words.name}
          description={words.nameHint}
          maxLength={LABEL_MAX_LENGTH}
          autoComplete="off"
          dir="auto"
          data-autofocus
        />
      )}
    </FormDialog>
  )
}

/** An error of the browser means that the person has cancelled, or that the device has a passkey already. */
const ofBrowser = (error: unknown): unknown =>
  error && problemOf(error).code === UNEXPECTED ? error : null
