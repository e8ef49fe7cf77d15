import { Link } from '@tanstack/react-router'
import type { Overview } from '../../api/overview.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { useFormats } from '../../parts/text/formats.ts'
import classes from './overview.module.css'
import { useOverviewWords } from './words.ts'

interface Props {
  account: string
  overview: Overview
}

/** Counts, each of which leads to its list. */
export function Numbers({ account, overview }: Props) {
  const words = useOverviewWords()
  const { number } = useFormats()
  const { failed_videos: failed, security_events: events, failing_endpoints: endpoints } = overview
  const link = (path: string): string => `/accounts/$account/${path}`
  return (
    <ul className={classes.numbers}>
      <Number to={link('security/playing')} account={account} name={words.playing}>
        {number(overview.playing_count)}
      </Number>
      <Number
        to={link('videos')}
        search={{ status: 'failed' }}
        account={account}
        name={interpolate(words.failed, { days: failed.days })}
        isBad={failed.count > 0}
      >
        {number(failed.count)}
      </Number>
      <Number
        to={link('developers/webhooks')}
        account={account}
        name={words.endpoints}
        isBad={endpoints.length > 0}
      >
        {number(endpoints.length)}
      </Number>
      <Number
        to={link('security/events')}
        search={{ range: '24h' }}
        account={account}
        name={interpolate(words.security, { hours: events.hours })}
      >
        {number(events.count)}
      </Number>
    </ul>
  )
}

interface NumberProps {
  to: string
  search?: Record<string, string>
  account: string
  name: string
  isBad?: boolean
  children: string
}

const Number = ({ to, search = {}, account, name, isBad = false, children }: NumberProps) => (
  <li>
    <Link to={to} params={{ account }} search={search} className={classes.number} data-bad={isBad}>
      <strong>{children}</strong>
      <span>{name}</span>
    </Link>
  </li>
)
