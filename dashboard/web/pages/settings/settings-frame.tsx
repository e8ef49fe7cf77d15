import { createLazyRoute, getRouteApi, Outlet } from '@tanstack/react-router'
import { SubLink, SubNavigation } from '../../parts/links/sub-navigation.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { useSettingsWords } from './words.ts'

const route = getRouteApi('/accounts/$account/settings')

/** The heading and the links of all pages of settings. */
function SettingsFrame() {
  const { title, pages } = useSettingsWords()
  const params = route.useParams()
  return (
    <>
      <PageHeader title={title} />
      <SubNavigation label={title}>
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
      </SubNavigation>
      <Outlet />
    </>
  )
}

export const settingsRoute = createLazyRoute('/accounts/$account/settings')({
  component: SettingsFrame,
})
