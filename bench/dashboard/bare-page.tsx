import { createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { Overview } from '../../dashboard/web/api/overview.ts'

const root = createRootRoute()
const page = createRoute({
  getParentRoute: () => root,
  path: '/accounts/$account',
  component: BarePage,
})

/** A heading, what one operation of the server returns, and a button. */
function BarePage() {
  const { account } = page.useParams()
  const [overview, setOverview] = useState<Overview>()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => void loadOverview(account).then(setOverview), [account])
  return (
    <main>
      <h1>Overview</h1>
      {overview && <strong>{overview.playing_count}</strong>}
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Menu
      </button>
    </main>
  )
}

async function loadOverview(account: string): Promise<Overview> {
  const response = await fetch(`/api/accounts/${account}/overview`)
  return response.json()
}

const app = document.querySelector('#app')
const router = createRouter({ routeTree: root.addChildren([page]) })
if (app) createRoot(app).render(<RouterProvider router={router} />)
