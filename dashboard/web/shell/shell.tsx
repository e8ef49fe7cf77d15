import { Outlet, useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useWords } from '../locales/words.tsx'
import { Uploads } from '../uploads/uploads.tsx'
import { AccountButton } from './account-button.tsx'
import { Announcer } from './announcer.tsx'
import { Brand } from './brand.tsx'
import { Navigation } from './navigation.tsx'
import { Notices } from './notices.tsx'
import { SearchButton } from './search-button.tsx'
import { ShellDialogs } from './shell-dialogs.tsx'
import classes from './shell.module.css'
import { Side } from './side.tsx'

/** The frame of every page: navigation, account and content. */
export function Shell() {
  const { account } = useParams({ from: '/accounts/$account' })
  const words = useWords()
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        {words.skipToContent}
      </a>
      <Side>
        <Brand />
        <SearchButton />
        <Navigation account={account} />
        <AccountButton account={account} />
      </Side>
      <main className={classes.main} id="main" tabIndex={-1}>
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
      <Uploads account={account} />
      <Announcer />
      <Notices account={account} />
      <ShellDialogs account={account} />
    </div>
  )
}
