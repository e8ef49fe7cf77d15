import { createLazyRoute, getRouteApi, Outlet } from '@tanstack/react-router'
import { useWords } from '../../locales/words.tsx'
import { AreaFrame } from '../../parts/area-frame.tsx'
import { SubLink } from '../../parts/links/sub-navigation.tsx'
import { useUsageWords } from './words.ts'

const route = getRouteApi('/accounts/$account/usage-and-plan')

/** The title and the tabs of usage and plan. */
function UsageFrame() {
  const { areas } = useWords()
  const { title } = useUsageWords()
  return (
    <AreaFrame title={areas.usage} label={title} tabs={<Tabs />}>
      <Outlet />
    </AreaFrame>
  )
}

function Tabs() {
  const { pages } = useUsageWords()
  const params = route.useParams()
  return (
    <>
      <SubLink to="/accounts/$account/usage" params={params}>
        {pages.usage}
      </SubLink>
      <SubLink to="/accounts/$account/plan" params={params}>
        {pages.plan}
      </SubLink>
    </>
  )
}

export const usageFrameRoute = createLazyRoute('/accounts/$account/usage-and-plan')({
  component: UsageFrame,
})
