import { Alert, Radio, Text } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { IconUsers } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import { useWords } from '../../locales/words.tsx'
import classes from '../parts.module.css'
import type { EditConflict, Side, TwoEdits } from './two-edits.ts'

const SIDES: readonly Side[] = ['mine', 'theirs']

/** Both values of one field that two editors have changed. */
interface Contradiction extends Record<Side, ReactNode> {
  /** The name of the field, or the id of the row. */
  name: string
  /** What people call it. */
  label: ReactNode
}

interface Props {
  contradictions: readonly Contradiction[]
  /** What people call the fields that only the other editor has changed. */
  taken: readonly string[]
  /** Which value counts, by the name of the field. */
  decided: ReadonlyMap<string, Side>
  decide: (name: string, side: Side) => void
}

/** Both values of each field that two editors have changed, with the choice between them. */
export function ConflictNotice({ contradictions, taken, decided, decide }: Props) {
  const { conflict: words } = useWords()
  const group = useId()
  const text = contradictions.length > 0 ? words.choose : words.kept
  return (
    <Alert color="pine" variant="light" title={words.title} icon={<IconUsers size={18} />}>
      <Text size="sm">{text}</Text>
      {contradictions.map(({ name, label, ...values }) => (
        <fieldset key={name} className={classes.choice}>
          <legend>{label}</legend>
          {SIDES.map((side) => (
            <Radio
              key={side}
              name={group + name}
              checked={decided.get(name) === side}
              onChange={() => decide(name, side)}
              label={
                <>
                  <strong>{words[side]}</strong> {values[side]}
                </>
              }
            />
          ))}
        </fieldset>
      ))}
      {taken.length > 0 && (
        <Text size="sm" mt="xs">
          {interpolate(words.taken, { names: taken.join(', ') })}
        </Text>
      )}
    </Alert>
  )
}

interface FieldsProps<T> extends Pick<TwoEdits<T>, 'decide'> {
  conflict: EditConflict<T>
  /** What people call the fields. */
  labels: Readonly<Record<Extract<keyof T, string>, string>>
  valueOf: (name: Extract<keyof T, string>, edit: T) => ReactNode
}

/** The notice about fields of a form that two members have changed. */
export function FieldsConflict<T>({ conflict, decide, labels, valueOf }: FieldsProps<T>) {
  const { mine, theirs, names, taken, decided } = conflict
  const contradictions = names.map((name) => ({
    name,
    label: labels[name],
    mine: valueOf(name, mine),
    theirs: valueOf(name, theirs),
  }))
  const takenLabels = taken.map((name) => labels[name])
  return <ConflictNotice {...{ contradictions, taken: takenLabels, decided, decide }} />
}
