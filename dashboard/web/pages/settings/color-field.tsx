import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { isColor } from '../../../../domain/settings/kinds.ts'
import { interpolate } from '../../locales/interpolate.ts'
import classes from './settings.module.css'
import { useSettingsWords } from './words.ts'

interface Props {
  label: string
  description: string
  value: string
  error: ReactNode
  onBlur: () => void
  onChange: (color: string) => void
}

/** A colour to type, with the colour picker of the browser beside it. */
export function ColorField({ label, description, value, error, onBlur, onChange }: Props) {
  const { player } = useSettingsWords()
  return (
    <TextInput
      label={label}
      description={description}
      value={value}
      error={error}
      onBlur={onBlur}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      spellCheck={false}
      autoComplete="off"
      dir="ltr"
      maxLength={7}
      leftSection={
        <input
          type="color"
          className={classes.picker}
          aria-label={interpolate(player.pick, { name: label })}
          value={longForm(value)}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      }
    />
  )
}

/** The picker of the browser knows only six digits. */
function longForm(color: string): string {
  if (!isColor(color)) return '#000000'
  return color.length === 4 ? color.replaceAll(/[0-9a-f]/gi, '$&$&') : color
}
