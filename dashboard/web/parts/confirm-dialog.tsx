import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { fill } from '../words/fill.ts'
import { useWords } from '../words/words.tsx'
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

/** Asks before something that cannot be undone. Mount it only while it is open. */
export function ConfirmDialog(props: Props) {
  const { title, children, expected, submit, isPending, error, onConfirm, onClose } = props
  const { parts } = useWords()
  const [typed, setTyped] = useState('')
  const isConfirmed = expected === undefined || typed.trim() === expected
  const confirm = (event: FormEvent): void => {
    event.preventDefault()
    if (isConfirmed) onConfirm()
  }
  return (
    <Modal
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
          {expected !== undefined && (
            <TextInput
              label={fill(parts.typeToConfirm, { text: expected })}
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
    </Modal>
  )
}
