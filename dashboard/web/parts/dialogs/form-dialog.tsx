import { Button, Group, Stack, type ModalProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { useWords } from '../../locales/words.tsx'
import { ErrorState } from '../error-state.tsx'
import { fieldsOf, type FieldProps } from '../forms/form-fields.ts'
import { Dialog } from './dialog.tsx'

/** The mutation that a form starts, with what the form holds. */
export interface Saving<T> {
  mutate: (values: T) => void
  isPending: boolean
  error: unknown
}

interface Props<T> extends Pick<ModalProps, 'size' | 'closeOnClickOutside'> {
  title: string
  /** Above the inputs and what has failed. */
  text?: ReactNode
  form: UseFormReturnType<T>
  save: Saving<T>
  /** The text of the button that saves. */
  submit: string
  color?: 'red'
  /** Whether the form can be saved as it is. */
  isReady?: boolean
  /** The inputs, given the props of each field. */
  children: (field: FieldProps<T>) => ReactNode
  onClose: () => void
}

/**
 * A dialog with a form. Refusals of a field are shown at its input, other problems above; what was typed stays. A click
 * beside it does not close it, unless the caller allows that. Mount it only while it is open.
 */
export function FormDialog<T extends object>(props: Props<T>) {
  const { text, form, save, submit, color, isReady = true, children, onClose, ...dialog } = props
  const { parts } = useWords()
  const { field, problem } = fieldsOf(form, save.error)
  return (
    <Dialog opened onClose={onClose} closeOnClickOutside={false} {...dialog}>
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack>
          {text}
          {problem && <ErrorState error={problem} />}
          {children(field)}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {parts.cancel}
            </Button>
            <Button type="submit" color={color} disabled={!isReady} loading={save.isPending}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
