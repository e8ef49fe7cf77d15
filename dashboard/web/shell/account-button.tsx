import { lazy, Suspense, useEffect, useState } from 'react'
import { AccountPerson } from './account-person.tsx'

const loadMenu = () => import('./account-menu.tsx')

const AccountMenu = lazy(async () => ({ default: (await loadMenu()).AccountMenu }))

/**
 * Who is signed in; a click opens the menu of the account. The first view does not wait for the menu and for
 * the code that places it, which many further pages need too.
 */
export function AccountButton({ account }: { account: string }) {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    // A failure shows when the menu is opened.
    loadMenu().catch(() => {})
  }, [])
  if (!isWanted) return <AccountPerson account={account} onClick={() => setWanted(true)} />
  return (
    <Suspense fallback={<AccountPerson account={account} />}>
      <AccountMenu account={account} />
    </Suspense>
  )
}
