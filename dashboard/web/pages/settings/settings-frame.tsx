import { createLazyRoute, getRouteApi, Outlet } from '@tanstack/react-router'
import { AreaFrame } from '../../parts/area-frame.tsx'
import { SubLink } from '../../parts/links/sub-navigation.tsx'
import { useSettingsWords } from './words.ts'

const route = getRouteApi('/accounts/$account/settings')

/** The title and the tabs of all pages of settings. */
function SettingsFrame() {
  const { title } = useSettingsWords()
  return (
    <AreaFrame title={title} tabs={<Tabs />}>
      <Outlet />
    </AreaFrame>
  )
}

function Tabs() {
  const { pages } = useSettingsWords()
  const params = route.useParams()
  return (
    <>
      <SubLink to="/accounts/$account/settings/player" params={params}>
        {pages.player}
      </SubLink>
      <SubLink to="/accounts/$account/settings/watermark" params={params}>
        {pages.watermark}
      </SubLink>
      <SubLink to="/accounts/$account/settings/domains" params={params}>
        {pages.domains}
      </SubLink>
      <SubLink to="/accounts/$account/settings/protection" params={params}>
        {pages.protection}
      </SubLink>
      <SubLink to="/accounts/$account/settings/viewers" params={params}>
        {pages.viewers}
      </SubLink>
    </>
  )
}

export const settingsRoute = createLazyRoute('/accounts/$account/settings')({
  component: SettingsFrame,
})
