import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useWords } from '../../locales/words.tsx'
import { FormDialog, type Saving } from './form-dialog.tsx'

interface Props {
  title: string
  /** What will happen. */
  children: ReactNode
  /** What has to be typed, such as the name of what is deleted; absent if the button is enough. */
  expected?: string
  /** The text of the button that does it. */
  submit: string
  /** The mutation that does it. */
  action: Saving<void>
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
export function ConfirmDialog({ children, expected, action, ...dialog }: Props) {
  const form = useForm({ initialValues: { typed: '' } })
  const name = expected === undefined ? undefined : seenOf(expected)
  return (
    <FormDialog
      {...dialog}
      text={children}
      form={form}
      save={{ ...action, mutate: () => action.mutate() }}
      color="red"
      isReady={name === undefined || seenOf(form.values.typed) === name}
    >
      {(field) =>
        name !== undefined && (
          <TextInput
            {...field('typed')}
            label={<TypeToConfirm name={name} />}
            autoComplete="off"
            dir="auto"
            data-autofocus
          />
        )
      }
    </FormDialog>
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
