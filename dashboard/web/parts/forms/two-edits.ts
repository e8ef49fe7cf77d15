import { useForm, type UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { mergeEdits } from '../../../../domain/merge-edits.ts'

export type Side = 'mine' | 'theirs'

/** What two editors have done to the same fields, or to the same rows by their ids. */
export interface EditConflict<T> extends Record<Side, T> {
  /** What both have changed to different values. */
  names: Extract<keyof T, string>[]
  /** What only the other editor has changed. */
  taken: Extract<keyof T, string>[]
  /** Which value counts; complete before the next save. */
  decided: ReadonlyMap<string, Side>
}

/** The conflict between edits that started from `opened`, with both of them combined; in doubt mine. */
export function meetEdits<T extends object>(
  opened: T,
  mine: T,
  theirs: T,
): { merged: T; conflict: EditConflict<T> } {
  const { merged, conflicts: names, taken } = mergeEdits({ opened, mine, theirs })
  return { merged, conflict: { mine, theirs, names, taken, decided: new Map() } }
}

/** Whether a value is still to be chosen. */
export const isUndecided = <T>(conflict: EditConflict<T> | null): boolean =>
  conflict?.names.some((name) => !conflict.decided.has(name)) ?? false

/** The conflict with one more choice. */
export function withChoice<T>(
  { mine, theirs, names, taken, decided }: EditConflict<T>,
  name: string,
  side: Side,
): EditConflict<T> {
  return { mine, theirs, names, taken, decided: new Map(decided).set(name, side) }
}

/** A form that others may save meanwhile. */
export interface TwoEdits<T> {
  /** What the form has started from: what the next save requires to be still stored. */
  opened: T
  form: UseFormReturnType<T>
  conflict: EditConflict<T> | null
  /** Takes what another member has saved into the form. What was typed stays. */
  meet: (theirs: T) => void
  decide: (name: string, side: Side) => void
}

/**
 * Holds a form that starts from `initial`, and combines it with what another member has saved. `validate` returns what is wrong with
 * it, by field.
 */
export function useTwoEdits<T extends object>(
  initial: T,
  validate: (values: T) => Record<string, string> = () => ({}),
): TwoEdits<T> {
  const [opened, setOpened] = useState(initial)
  const form = useForm<T>({ initialValues: initial, validate })
  const [conflict, setConflict] = useState<EditConflict<T> | null>(null)
  return {
    opened,
    form,
    conflict,
    meet(theirs) {
      const met = meetEdits(opened, form.values, theirs)
      setOpened(theirs)
      form.setValues(met.merged)
      setConflict(met.conflict)
    },
    decide(name, side) {
      if (!conflict) return
      setConflict(withChoice(conflict, name, side))
      form.setValues(chosen(form.values, conflict[side], name))
    },
  }
}

function chosen<T extends object>(edit: T, from: T, name: string): T {
  const result: T = { ...edit }
  for (const key in from) if (key === name) result[key] = from[key]
  return result
}
