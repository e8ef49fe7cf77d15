import { createLazyRoute, getRouteApi, Outlet } from '@tanstack/react-router'
import { AreaFrame } from '../../parts/area-frame.tsx'
import { SubLink } from '../../parts/links/sub-navigation.tsx'
import { useAudienceWords } from './words.ts'

const route = getRouteApi('/accounts/$account/audience')

const EXACT = { exact: true, includeSearch: false }

/** The title and the tabs of the pages about the audience. */
function AudienceFrame() {
  const { title } = useAudienceWords()
  return (
    <AreaFrame title={title} tabs={<Tabs />}>
      <Outlet />
    </AreaFrame>
  )
}

function Tabs() {
  const { pages } = useAudienceWords()
  const params = route.useParams()
  return (
    <>
      <SubLink to="/accounts/$account/audience" params={params} activeOptions={EXACT}>
        {pages.overview}
      </SubLink>
      <SubLink to="/accounts/$account/audience/viewers" params={params}>
        {pages.viewers}
      </SubLink>
    </>
  )
}

export const frameRoute = createLazyRoute('/accounts/$account/audience')({
  component: AudienceFrame,
})
