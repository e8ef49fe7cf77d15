import { createLazyRoute, getRouteApi, Outlet } from '@tanstack/react-router'
import { AreaFrame } from '../../parts/area-frame.tsx'
import { SubLink } from '../../parts/links/sub-navigation.tsx'
import { useSecurityWords } from './words.ts'

const route = getRouteApi('/accounts/$account/security')

/** The title and the tabs of the pages about security. */
function SecurityFrame() {
  const { title } = useSecurityWords()
  return (
    <AreaFrame title={title} tabs={<Tabs />}>
      <Outlet />
    </AreaFrame>
  )
}

function Tabs() {
  const { pages } = useSecurityWords()
  const params = route.useParams()
  const base = '/accounts/$account/security'
  return (
    <>
      <SubLink to={`${base}/events`} params={params}>
        {pages.events}
      </SubLink>
      <SubLink to={`${base}/playing`} params={params}>
        {pages.playing}
      </SubLink>
      <SubLink to={`${base}/viewers`} params={params}>
        {pages.viewers}
      </SubLink>
      <SubLink to={`${base}/why`} params={params}>
        {pages.why}
      </SubLink>
    </>
  )
}

export const securityRoute = createLazyRoute('/accounts/$account/security')({
  component: SecurityFrame,
})
