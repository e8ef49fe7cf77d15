import { Checkbox, Popover, Stack } from '@mantine/core'
import { useRef } from 'react'
import { useWords } from '../../locales/words.tsx'
import { Choice } from '../forms/choice.tsx'
import { ChoicesButton } from './choices-button.tsx'
import { DENSITIES, useDensity, useHiddenColumns } from './table-view.ts'

interface Props {
  name: string
  columns: readonly string[]
}

/** The open choices of a table. */
export function TableChoicesPanel({ name, columns }: Props) {
  const { table: words } = useWords()
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Popover
      defaultOpened
      position="bottom-end"
      width={224}
      trapFocus
      onClose={() => button.current?.focus()}
    >
      <Popover.Target>
        <ChoicesButton ref={button} />
      </Popover.Target>
      <Popover.Dropdown aria-label={words.choices}>
        <Stack gap="md">
          <DensityChoice />
          <ColumnChoice name={name} columns={columns} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function DensityChoice() {
  const { table: words } = useWords()
  const [density, choose] = useDensity()
  return (
    <Choice
      label={words.density}
      value={density}
      options={DENSITIES.map((one) => [one, words[one]])}
      onChoose={(chosen = DENSITIES[0]) => choose(chosen)}
    />
  )
}

/** The first column names the row, so it stays. */
function ColumnChoice({ name, columns }: Props) {
  const { table: words } = useWords()
  const [hidden, hide] = useHiddenColumns(name)
  const places = columns.map((_column, place) => place).slice(1)
  const shown = places.filter((place) => !hidden.includes(place)).map(String)
  return (
    <Checkbox.Group
      label={words.columns}
      value={shown}
      onChange={(chosen) => hide(places.filter((place) => !chosen.includes(String(place))))}
    >
      <Stack gap="xs" mt="xs">
        {places.map((place) => (
          <Checkbox key={place} value={String(place)} label={columns[place]} size="sm" />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
