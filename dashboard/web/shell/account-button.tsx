import { lazy, Suspense, useEffect, useState } from 'react'
import { AccountPerson } from './account-person.tsx'

const loadMenu = () => import('./account-menu.tsx')

/** How long the menu leaves the processor to the first view. */
const MENU_WAIT_MS = 1_000

const AccountMenu = lazy(async () => ({ default: (await loadMenu()).AccountMenu }))

/**
 * The open account; a click opens its menu, with the other accounts first. The first view does not wait for the menu and for
 * the code that places it, which many further pages need too.
 */
export function AccountButton({ account }: { account: string }) {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    // A failure shows when the menu is opened.
    const timer = setTimeout(() => void loadMenu().catch(() => {}), MENU_WAIT_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!isWanted) return <AccountPerson account={account} onClick={() => setWanted(true)} />
  return (
    <Suspense fallback={<AccountPerson account={account} />}>
      <AccountMenu account={account} />
    </Suspense>
  )
}
