import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useRef } from 'react'
import {
  METADATA_KEY_MAX_LENGTH,
  METADATA_KEYS_MAX,
  METADATA_VALUE_MAX_LENGTH,
} from '../../../../../domain/limits.ts'
import { IconPlus, IconTrash } from '../../../icons/icons.tsx'
import { interpolate } from '../../../locales/interpolate.ts'
import { useVideosWords } from '../words.ts'
import type { MetadataRow } from './metadata-rows.ts'
import classes from './own.module.css'

interface Props {
  rows: readonly MetadataRow[]
  onChange: (rows: MetadataRow[]) => void
  /** What is wrong, by field, such as `metadata.0.key`. */
  errors: Readonly<Record<string, unknown>>
}

/** Metadata as rows of a name and a value. */
export function MetadataField({ rows, onChange, errors }: Props) {
  const { own } = useVideosWords()
  const add = useRef<HTMLButtonElement>(null)
  const whole = errors.metadata
  return (
    <fieldset className={classes.rows}>
      <legend>{own.metadata}</legend>
      <div className={classes.hint}>{own.metadataHint}</div>
      {rows.map((row, index) => (
        <Row
          // A row has no other name.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          row={row}
          errors={{
            key: errors[`metadata.${index}.key`],
            value: errors[`metadata.${index}.value`],
          }}
          onChange={(changed) => onChange(rows.with(index, changed))}
          onRemove={() => {
            onChange(rows.toSpliced(index, 1))
            add.current?.focus()
          }}
        />
      ))}
      {typeof whole === 'string' && <div role="alert">{whole}</div>}
      {rows.length < METADATA_KEYS_MAX && (
        <div>
          <Button
            ref={add}
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange([...rows, { key: '', value: '' }])}
          >
            {own.addRow}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

interface RowProps {
  row: MetadataRow
  errors: Record<keyof MetadataRow, unknown>
  onChange: (row: MetadataRow) => void
  onRemove: () => void
}

const LENGTHS = { key: METADATA_KEY_MAX_LENGTH, value: METADATA_VALUE_MAX_LENGTH } as const

function Row({ row, errors, onChange, onRemove }: RowProps) {
  const { own } = useVideosWords()
  const label = interpolate(own.removeRow, { name: row.key })
  return (
    <div className={classes.row}>
      {(['key', 'value'] as const).map((part) => (
        <TextInput
          key={part}
          aria-label={own[part]}
          placeholder={own[part]}
          value={row[part]}
          maxLength={LENGTHS[part]}
          error={typeof errors[part] === 'string' && errors[part]}
          autoComplete="off"
          dir="auto"
          onChange={({ currentTarget }) => onChange({ ...row, [part]: currentTarget.value })}
        />
      ))}
      <ActionIcon variant="default" size={36} aria-label={label} title={label} onClick={onRemove}>
        <IconTrash size={16} />
      </ActionIcon>
    </div>
  )
}
