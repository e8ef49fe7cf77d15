import { createLazyRoute, getRouteApi, Outlet } from '@tanstack/react-router'
import { useWords } from '../../locales/words.tsx'
import { AreaFrame } from '../../parts/area-frame.tsx'
import { SubLink } from '../../parts/links/sub-navigation.tsx'
import { useDeveloperWords } from './words.ts'

const route = getRouteApi('/accounts/$account/developers')

/** The title and the tabs of the lists for developers. What is in a list has a page of its own. */
function DevelopersFrame() {
  const { areas } = useWords()
  const { pages } = useDeveloperWords()
  return (
    <AreaFrame title={areas.developers} label={pages.label} tabs={<Tabs />}>
      <Outlet />
    </AreaFrame>
  )
}

function Tabs() {
  const { pages } = useDeveloperWords()
  const params = route.useParams()
  const base = '/accounts/$account/developers'
  return (
    <>
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
      <SubLink to={`${base}/record-store`} params={params}>
        {pages.recordStore}
      </SubLink>
    </>
  )
}

export const developersRoute = createLazyRoute('/accounts/$account/developers')({
  component: DevelopersFrame,
})
