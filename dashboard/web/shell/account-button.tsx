import { lazy, Suspense, useState } from 'react'
import { AccountPerson } from './account-person.tsx'

/** With the code that places it, which the first view does not need. */
const AccountMenu = lazy(async () => {
  const { AccountMenu: component } = await import('./account-menu.tsx')
  return { default: component }
})

/** Who is signed in; a click opens the menu of the account, which is loaded then. */
export function AccountButton({ account }: { account: string }) {
  const [isWanted, setWanted] = useState(false)
  if (!isWanted) return <AccountPerson account={account} onClick={() => setWanted(true)} />
  return (
    <Suspense fallback={<AccountPerson account={account} />}>
      <AccountMenu account={account} />
    </Suspense>
  )
}
