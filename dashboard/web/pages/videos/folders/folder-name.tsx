import { ActionIcon, TextInput } from '@mantine/core'
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { problemOf } from '../../../api/problem.ts'
import { IconCheck } from '../../../icons/icons.tsx'
import type { Saving } from '../../../parts/dialogs/form-dialog.tsx'
import { useVideosWords } from '../words.ts'
import classes from './folder-nav.module.css'

interface Props {
  label: string
  initial?: string
  save: Saving<string>
  onClose: () => void
}

/** The name of a folder in a field: Enter saves it, Escape closes the field. */
export function FolderName({ label, initial = '', save, onClose }: Props) {
  const { details } = useVideosWords()
  const [name, setName] = useState(initial)
  const isChanged = name.trim() !== '' && name.trim() !== initial
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isChanged) save.mutate(name)
    else onClose()
  }
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') onClose()
  }
  return (
    <form onSubmit={submit} className={classes.form}>
      <TextInput
        size="xs"
        className={classes.field}
        aria-label={label}
        placeholder={label}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={onKeyDown}
        error={save.error ? problemOf(save.error).message : undefined}
        ref={selectOnce}
        dir="auto"
      />
      <ActionIcon
        type="submit"
        variant="default"
        size={30}
        aria-label={details.save}
        title={details.save}
        loading={save.isPending}
        disabled={!isChanged}
      >
        <IconCheck size={14} />
      </ActionIcon>
    </form>
  )
}

const selectOnce = (field: HTMLInputElement | null): void => field?.select()
