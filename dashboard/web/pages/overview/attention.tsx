import { Link } from '@tanstack/react-router'
import type { Overview } from '../../api/overview.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { useWords } from '../../locales/words.tsx'
import layout from '../../parts/layout.module.css'
import { PathLink } from '../../parts/links/path-link.tsx'
import { Section } from '../../parts/section.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { LongText } from '../../parts/text/long-text.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import classes from './overview.module.css'
import { isPlanNear, PlanNotice } from './plan-notice.tsx'
import { useOverviewWords } from './words.ts'

interface Props {
  account: string
  overview: Overview
}

/** True if a part of `Attention` has something to show. */
export const needsAttention = ({ failed_videos: failed, failing_endpoints, plan }: Overview) =>
  failed.count > 0 || failing_endpoints.length > 0 || isPlanNear(plan)

/** What failed and what is nearly used up, each with a link to its list. */
export function Attention({ account, overview }: Props) {
  const { failed_videos: failed, failing_endpoints: endpoints, plan } = overview
  if (!needsAttention(overview)) return null
  return (
    <div className={layout.cards}>
      {failed.count > 0 && <FailedVideos account={account} failed={failed} />}
      {endpoints.length > 0 && <FailingEndpoints account={account} endpoints={endpoints} />}
      {plan && isPlanNear(plan) && <PlanNotice account={account} plan={plan} />}
    </div>
  )
}

function FailedVideos({ account, failed }: { account: string; failed: Overview['failed_videos'] }) {
  const words = useOverviewWords()
  const { videos } = useWords()
  return (
    <Section className={layout.card} title={interpolate(words.failed, { days: failed.days })}>
      <ul className={`${layout.list} ${classes.list}`}>
        {failed.data.map((video) => (
          <li key={video.id}>
            <Link
              to="/accounts/$account/videos/$video"
              params={{ account, video: video.id }}
              search={{ status: 'failed' }}
            >
              <bdi>{video.title.trim() || videos.untitled}</bdi>
            </Link>
            <span className={layout.under}>
              {video.error_code !== null && <code dir="ltr">{video.error_code}</code>}
              <RelativeTime at={video.failed_at} />
            </span>
          </li>
        ))}
      </ul>
      {failed.count > failed.data.length && (
        <Link
          className={classes.all}
          to="/accounts/$account/videos"
          params={{ account }}
          search={{ status: 'failed' }}
        >
          {words.all}
        </Link>
      )}
    </Section>
  )
}

interface EndpointsProps {
  account: string
  endpoints: Overview['failing_endpoints']
}

function FailingEndpoints({ account, endpoints }: EndpointsProps) {
  const words = useOverviewWords()
  const { number } = useFormats()
  return (
    <Section className={layout.card} title={words.endpoints}>
      <ul className={`${layout.list} ${classes.list}`}>
        {endpoints.map(({ id, url, failure_count: failures, disabled_reason: reason }) => (
          <li key={id}>
            <PathLink account={account} path={`developers/webhooks/${id}`}>
              <LongText>{url}</LongText>
            </PathLink>
            <span className={layout.under}>
              {reason === null
                ? interpolate(words.failures, { number: number(failures) })
                : words.disabled}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
