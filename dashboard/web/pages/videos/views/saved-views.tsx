import { lazy, Suspense, useState } from 'react'
import { ViewsButton } from './views-button.tsx'

const ViewsMenu = lazy(async () => ({ default: (await import('./views-menu.tsx')).ViewsMenu }))

/** The button of the saved views. The menu is loaded when it is first opened. */
export function SavedViews({ account }: { account: string }) {
  const [isWanted, setWanted] = useState(false)
  if (!isWanted)
    return (
      <ViewsButton aria-haspopup="menu" aria-expanded={false} onClick={() => setWanted(true)} />
    )
  return (
    <Suspense fallback={<ViewsButton />}>
      <ViewsMenu account={account} target={<ViewsButton />} />
    </Suspense>
  )
}
