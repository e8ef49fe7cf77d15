import type { ReactNode } from 'react'
import type { FailureSetting } from '../../../../../domain/playback-reports/explain-failure.ts'
import type { PlaybackReport } from '../../../api/security.ts'
import { ButtonLink } from '../../../parts/links/links.tsx'

const BASE = '/accounts/$account'

const PAGES = {
  domains: `${BASE}/settings/domains`,
  viewer_tokens: `${BASE}/settings/watermark`,
  protection: `${BASE}/settings/protection`,
  quick_start: `${BASE}/developers`,
} as const

interface Props {
  account: string
  setting: FailureSetting
  report: PlaybackReport
  children: ReactNode
}

/** A link to the page of the next step. The pages of a video need one that is not deleted. */
export function SettingLink({ account, setting, report, children }: Props) {
  const params = { account }
  const { video_id: id, video_title: title, viewer_id: viewer } = report
  const video = id === null || title === null ? null : { account, video: id }
  switch (setting) {
    case 'embed':
    case 'video':
      if (video === null)
        return (
          <ButtonLink to={`${BASE}/videos`} params={params}>
            {children}
          </ButtonLink>
        )
      return setting === 'embed' ? (
        <ButtonLink to={`${BASE}/videos/$video/embed`} params={video}>
          {children}
        </ButtonLink>
      ) : (
        <ButtonLink to={`${BASE}/videos/$video`} params={video}>
          {children}
        </ButtonLink>
      )
    case 'viewers':
      return (
        <ButtonLink to={`${BASE}/security/viewers`} params={params}>
          {children}
        </ButtonLink>
      )
    case 'security_events':
      return (
        <ButtonLink
          to={`${BASE}/security/events`}
          params={params}
          search={viewer === null ? {} : { viewer }}
        >
          {children}
        </ButtonLink>
      )
    case 'domains':
    case 'viewer_tokens':
    case 'protection':
    case 'quick_start':
      return (
        <ButtonLink to={PAGES[setting]} params={params}>
          {children}
        </ButtonLink>
      )
  }
}
