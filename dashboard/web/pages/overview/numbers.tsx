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

/** The server counts no further. */
const COUNTED_VIDEOS = 10_000
const COUNTED_ENCODING = 200

/** Counts, each of which leads to its list. What is only of use when it is not zero is left out then. */
export function Numbers({ account, overview }: Props) {
  const words = useOverviewWords()
  const { number } = useFormats()
  const { security_events: events, encoding, videos, playing_count: playing } = overview
  const link = (path: string): string => `/accounts/$account/${path}`
  const upTo = (count: number, most: number): string =>
    count < most ? number(count) : `${number(most)}+`
  return (
    <ul className={classes.numbers}>
      <Number to={link('security/playing')} account={account} name={words.playing}>
        {number(playing)}
      </Number>
      {encoding.count > 0 && (
        <Number to={link('videos')} account={account} name={words.encoding.title}>
          {upTo(encoding.count, COUNTED_ENCODING)}
        </Number>
      )}
      <Number to={link('videos')} account={account} name={words.videos}>
        {upTo(videos.count, COUNTED_VIDEOS)}
      </Number>
      {events.count > 0 && (
        <Number
          to={link('security/events')}
          search={{ range: '24h' }}
          account={account}
          name={interpolate(words.security, { hours: events.hours })}
        >
          {number(events.count)}
        </Number>
      )}
    </ul>
  )
}

interface NumberProps {
  to: string
  search?: Record<string, string>
  account: string
  name: string
  children: string
}

const Number = ({ to, search = {}, account, name, children }: NumberProps) => (
  <li>
    <Link to={to} params={{ account }} search={search}>
      <strong>{children}</strong>
      <span>{name}</span>
    </Link>
  </li>
)
