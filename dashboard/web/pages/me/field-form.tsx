import { Button } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { problemOf } from '../../api/problem.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { useUnsavedChanges } from '../../parts/forms/unsaved-changes.ts'
import classes from './me.module.css'

interface Props {
  /** The field of the request that the form sets. */
  field: string
  isDirty: boolean
  /** The mutation that saves it. */
  saving: { error: unknown; isPending: boolean; mutate: () => void }
  /** The text of the button. */
  submit: string
  /** The inputs, given why the server refused the field. */
  children: (refusal: string | undefined) => ReactNode
}

/** A form that saves one field. A refusal of the field is shown there, any other problem above. */
export function FieldForm({ field, isDirty, saving, submit, children }: Props) {
  useUnsavedChanges(isDirty)
  const problem = saving.error ? problemOf(saving.error) : null
  const isOfField = problem?.field === field
  const save = (event: FormEvent): void => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <form className={classes.form} onSubmit={save}>
      {problem && !isOfField && <ErrorState error={problem} />}
      {children(isOfField ? problem.message : undefined)}
      <Button type="submit" disabled={!isDirty} loading={saving.isPending}>
        {submit}
      </Button>
    </form>
  )
}
