import { createLazyRoute, getRouteApi, Outlet } from '@tanstack/react-router'
import { SubLink, SubNavigation } from '../../parts/links/sub-navigation.tsx'
import { useSecurityWords } from './words.ts'

const route = getRouteApi('/accounts/$account/security')

/** The links to the pages about security, above each of them. */
function SecurityFrame() {
  const { title, pages } = useSecurityWords()
  const params = route.useParams()
  const base = '/accounts/$account/security'
  return (
    <>
      <SubNavigation label={title}>
        <SubLink to={`${base}/events`} params={params}>
          {pages.events}
        </SubLink>
        <SubLink to={`${base}/playing`} params={params}>
          {pages.playing}
        </SubLink>
        <SubLink to={`${base}/viewers`} params={params}>
          {pages.viewers}
        </SubLink>
      </SubNavigation>
      <Outlet />
    </>
  )
}

export const securityRoute = createLazyRoute('/accounts/$account/security')({
  component: SecurityFrame,
})
