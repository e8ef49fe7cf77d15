import { ActionIcon } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { IconMenu2, IconSearch } from '../icons/icons.tsx'
import { useWords } from '../locales/words.tsx'
import { Brand } from './brand.tsx'
import classes from './shell.module.css'
import { openList } from './shortcuts.ts'

/** The side of every page. On a narrow screen it opens over the content, which is not rendered again for that. */
export function Side({ children }: { children: ReactNode }) {
  const { areas: words } = useWords()
  const [isOpen, setOpen] = useOpenOnPage()
  return (
    <aside className={classes.aside} aria-label={words.label}>
      <div className={classes.bar}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={isOpen ? words.close : words.open}
          aria-expanded={isOpen}
          aria-controls="side"
          onClick={() => setOpen(!isOpen)}
        >
          <IconMenu2 size={20} />
        </ActionIcon>
        <Brand />
        <SearchIcon />
      </div>
      <button
        type="button"
        className={classes.backdrop}
        data-open={isOpen}
        tabIndex={-1}
        aria-label={words.close}
        onClick={() => setOpen(false)}
      />
      <div className={classes.side} data-open={isOpen} id="side">
        {children}
      </div>
    </aside>
  )
}

/** Opens the palette, for a finger. */
function SearchIcon() {
  const { actions } = useWords()
  return (
    <ActionIcon
      className={classes.barEnd}
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={actions.search}
      onClick={() => openList.set('palette')}
    >
      <IconSearch size={20} />
    </ActionIcon>
  )
}

/** Open on the page where it was opened, so that following a link closes it; Escape closes it too. */
function useOpenOnPage(): [boolean, (isOpen: boolean) => void] {
  const { pathname } = useLocation()
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const isOpen = openedAt === pathname
  useEffect(() => {
    if (!isOpen) return
    const close = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') setOpenedAt(null)
    }
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [isOpen])
  return [isOpen, (opens) => setOpenedAt(opens ? pathname : null)]
}
