import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { LABEL_MAX_LENGTH } from '../../../../domain/limits.ts'
import { answerOf, apiOf } from '../../api/client.ts'
import { UnreadablePasskey } from '../../api/browser-passkey.ts'
import type { Passkey } from '../../api/me.ts'
import { addPasskey } from '../../api/passkeys.ts'
import { problemOf, UNEXPECTED } from '../../api/problem.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { notify } from '../../parts/notify.ts'
import { useWords } from '../../words/words.tsx'
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
    mutationFn: (name: string) => addPasskey(account, name),
    onSuccess: () => done(words.added),
  })
  return (
    <NameDialog
      title={words.add}
      text={words.addText}
      initial=""
      submit={words.addSubmit}
      error={add.error}
      isPending={add.isPending}
      onSubmit={(name) => add.mutate(name)}
      onClose={onClose}
    />
  )
}

export function RenamePasskey({ account, passkey, onClose }: PasskeyProps) {
  const { passkeys: words, save, saved } = useMeWords()
  const done = useDone(account, onClose)
  const rename = useMutation({
    mutationFn: (name: string) => {
      const params = { path: { id: passkey.id } }
      return answerOf(apiOf(account).PATCH('/me/passkeys/{id}', { params, body: { name } }))
    },
    onSuccess: () => done(saved),
  })
  return (
    <NameDialog
      title={words.renameTitle}
      initial={passkey.name}
      submit={save}
      error={rename.error}
      isPending={rename.isPending}
      onSubmit={(name) => rename.mutate(name)}
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
      return answerOf(apiOf(account).DELETE('/me/passkeys/{id}', { params }))
    },
    onSuccess: () => done(words.removed),
  })
  return (
    <ConfirmDialog
      title={words.removeTitle}
      submit={words.removeSubmit}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <Text size="sm" fw={500}>
        <bdi>{passkey.name}</bdi>
      </Text>
      <Text size="sm">{words.removeText}</Text>
    </ConfirmDialog>
  )
}

interface NameDialogProps {
  title: string
  text?: string
  initial: string
  submit: string
  error: unknown
  isPending: boolean
  onSubmit: (name: string) => void
  onClose: () => void
}

function NameDialog(props: NameDialogProps) {
  const { title, text, initial, submit, error, isPending, onSubmit, onClose } = props
  const { passkeys: words } = useMeWords()
  const { parts } = useWords()
  const [name, setName] = useState(initial)
  const send = (event: FormEvent): void => {
    event.preventDefault()
    if (name.trim() !== '') onSubmit(name.trim())
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      size="sm"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <form onSubmit={send}>
        <Stack>
          {text !== undefined && <Text size="sm">{text}</Text>}
          {error !== null && <Failure error={error} />}
          <TextInput
            label={words.name}
            description={words.nameHint}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            maxLength={LABEL_MAX_LENGTH}
            autoComplete="off"
            dir="auto"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {parts.cancel}
            </Button>
            <Button type="submit" disabled={name.trim() === ''} loading={isPending}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** An error of the browser means that the person has cancelled, or that the device has a passkey already. */
function Failure({ error }: { error: unknown }) {
  const { passkeys: words } = useMeWords()
  if (problemOf(error).code !== UNEXPECTED) return <ErrorState error={error} />
  return (
    <Text size="sm" role="alert">
      {error instanceof UnreadablePasskey ? words.unreadable : words.notMade}
    </Text>
  )
}
