import { ActionIcon } from '@mantine/core'
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import { Outlet, useLocation, useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { useWords } from '../words/words.tsx'
import { AccountButton } from './account-button.tsx'
import { Brand } from './brand.tsx'
import { Navigation } from './navigation.tsx'
import { Notices } from './notices.tsx'
import { ShellDialogs } from './shell-dialogs.tsx'
import { SearchButton } from './search-button.tsx'
import classes from './shell.module.css'

/** The frame of every page: navigation, account and content. On a narrow screen the navigation opens over it. */
export function Shell() {
  const { account } = useParams({ from: '/accounts/$account' })
  const { pathname } = useLocation()
  const words = useWords()
  // The navigation is open on the page where it was opened, so that following a link closes it.
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
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        {words.skipToContent}
      </a>
      <aside className={classes.aside} aria-label={words.areas.label}>
        <div className={classes.bar}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={isOpen ? words.areas.close : words.areas.open}
            aria-expanded={isOpen}
            aria-controls="side"
            onClick={() => setOpenedAt(isOpen ? null : pathname)}
          >
            <IconMenu2 size={20} />
          </ActionIcon>
          <Brand />
        </div>
        <button
          type="button"
          className={classes.backdrop}
          data-open={isOpen}
          tabIndex={-1}
          aria-label={words.areas.close}
          onClick={() => setOpenedAt(null)}
        />
        <div className={classes.side} data-open={isOpen} id="side">
          <Brand />
          <SearchButton />
          <Navigation account={account} />
          <AccountButton account={account} />
        </div>
      </aside>
      <main className={classes.main} id="main" tabIndex={-1}>
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
      <Notices account={account} />
      <ShellDialogs account={account} />
    </div>
  )
}
