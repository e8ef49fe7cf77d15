import { ActionIcon, type ActionIconProps } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'
import { IconAdjustmentsHorizontal } from '../../icons/icons.tsx'
import { useWords } from '../../locales/words.tsx'

/** The button of the choices of a table. */
export function ChoicesButton(props: ActionIconProps & ComponentPropsWithRef<'button'>) {
  const { table } = useWords()
  return (
    <ActionIcon variant="subtle" color="gray" size={28} aria-label={table.choices} {...props}>
      <IconAdjustmentsHorizontal size={16} />
    </ActionIcon>
  )
}
