import { createLazyRoute, getRouteApi, Outlet } from '@tanstack/react-router'
import { SubLink, SubNavigation } from '../../parts/links/sub-navigation.tsx'
import { useDeveloperWords } from './words.ts'

const route = getRouteApi('/accounts/$account/developers')

/** The links to the pages for developers, above each of them. */
function DevelopersFrame() {
  const { pages } = useDeveloperWords()
  const params = route.useParams()
  const base = '/accounts/$account/developers'
  return (
    <>
      <SubNavigation label={pages.label}>
        <SubLink to={base} params={params} activeOptions={{ exact: true }}>
          {pages.start}
        </SubLink>
        <SubLink to={`${base}/keys`} params={params}>
          {pages.keys}
        </SubLink>
        <SubLink to={`${base}/webhooks`} params={params}>
          {pages.webhooks}
        </SubLink>
        <SubLink to={`${base}/deliveries`} params={params}>
          {pages.deliveries}
        </SubLink>
        <SubLink to={`${base}/replays`} params={params}>
          {pages.replays}
        </SubLink>
        <SubLink to={`${base}/events`} params={params}>
          {pages.events}
        </SubLink>
      </SubNavigation>
      <Outlet />
    </>
  )
}

export const developersRoute = createLazyRoute('/accounts/$account/developers')({
  component: DevelopersFrame,
})
