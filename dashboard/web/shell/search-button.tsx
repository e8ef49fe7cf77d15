import { UnstyledButton } from '@mantine/core'
import { IconSearch } from '../icons/icons.tsx'
import { useWords } from '../locales/words.tsx'
import classes from './shell.module.css'
import { MODIFIER, openList } from './shortcuts.ts'

/** Opens the palette. */
export function SearchButton() {
  const { actions } = useWords()
  return (
    <UnstyledButton
      className={classes.find}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => openList.set('palette')}
    >
      <IconSearch size={16} />
      <span>{actions.search}</span>
      <kbd aria-hidden>{MODIFIER} K</kbd>
    </UnstyledButton>
  )
}
