import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { useWords } from '../words/words.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorState } from './error-state.tsx'

interface Props {
  title: string
  /** What will happen. */
  children: ReactNode
  /** What has to be typed, such as the name of what is deleted; absent if the button is enough. */
  expected?: string
  /** The text of the button that does it. */
  submit: string
  isPending: boolean
  error: unknown
  onConfirm: () => void
  onClose: () => void
}

/** What is seen of a text: without controls and direction marks, which cannot be typed, and with single spaces. */
const seenOf = (text: string): string =>
  text
    .normalize()
    .replaceAll(/(?!\s)[\p{Cc}\p{Cf}]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Asks before something that cannot be undone. Mount it only while it is open. */
export function ConfirmDialog(props: Props) {
  const { title, children, expected, submit, isPending, error, onConfirm, onClose } = props
  const { parts } = useWords()
  const [typed, setTyped] = useState('')
  const name = expected === undefined ? undefined : seenOf(expected)
  const isConfirmed = name === undefined || seenOf(typed) === name
  const confirm = (event: FormEvent): void => {
    event.preventDefault()
    if (isConfirmed) onConfirm()
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <form onSubmit={confirm}>
        <Stack>
          {children}
          {error !== null && <ErrorState error={error} />}
          {name !== undefined && (
            <TextInput
              label={<TypeToConfirm name={name} />}
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              autoComplete="off"
              dir="auto"
              data-autofocus
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {parts.cancel}
            </Button>
            <Button type="submit" color="red" disabled={!isConfirmed} loading={isPending}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** The label, in which the name keeps its direction to itself. */
function TypeToConfirm({ name }: { name: string }) {
  const [before = '', after = ''] = useWords().parts.typeToConfirm.split('{text}')
  return (
    <>
      {before}
      <bdi>{name}</bdi>
      {after}
    </>
  )
}
