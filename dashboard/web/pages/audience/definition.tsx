import { Popover } from '@mantine/core'
import { useId, useState } from 'react'
import { IconInfoCircle } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import classes from './audience.module.css'
import type { AudienceWords } from './locales/en.ts'
import { useAudienceWords } from './words.ts'

const WIDTH_PX = 260

interface Props {
  /** The name of the number. */
  name: string
  definitions: readonly (keyof AudienceWords['definitions'])[]
}

/** A small sign that explains a number on hover, focus or click. Escape closes it, and the pointer can rest on the text. */
export function Definition({ name, definitions }: Props) {
  const { about, definitions: texts } = useAudienceWords()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <span
      className={classes.definition}
      onPointerEnter={() => setOpen(true)}
      onPointerLeave={() => setOpen(false)}
    >
      <Popover
        opened={isOpen}
        onChange={setOpen}
        position="top"
        width={WIDTH_PX}
        offset={4}
        withRoles={false}
        trapFocus={false}
        returnFocus={false}
      >
        <Popover.Target>
          <button
            type="button"
            className={classes.info}
            aria-label={interpolate(about, { name })}
            aria-describedby={isOpen ? id : undefined}
            onFocus={() => setOpen(true)}
            onBlur={() => setOpen(false)}
            onClick={() => setOpen(true)}
            onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}
          >
            <IconInfoCircle size={14} stroke={1.75} />
          </button>
        </Popover.Target>
        <Popover.Dropdown className={classes.explained} role="tooltip" id={id}>
          {definitions.map((definition) => (
            <p key={definition}>{texts[definition]}</p>
          ))}
        </Popover.Dropdown>
      </Popover>
    </span>
  )
}
