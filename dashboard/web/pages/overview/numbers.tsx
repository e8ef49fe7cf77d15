import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { RangeInSearch } from '../../api/audience.ts'
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

/** The days whose plays the overview counts. */
const WEEK: RangeInSearch = { range: '7d' }

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
      <Watched account={account} audience={overview.audience} />
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

/** What was watched in the last week. */
function Watched({ account, audience }: { account: string; audience: Overview['audience'] }) {
  const words = useOverviewWords()
  const { number, hours } = useFormats()
  const of = { account, to: `/accounts/$account/audience` }
  return (
    <>
      <Number
        {...of}
        search={{ ...WEEK }}
        name={words.plays}
        note={<Change now={audience.plays} before={audience.previous_plays} />}
      >
        {number(audience.plays)}
      </Number>
      <Number
        {...of}
        search={{ ...WEEK, metric: 'watch' }}
        name={words.watchTime}
        note={<Change now={audience.watch_seconds} before={audience.previous_watch_seconds} />}
      >
        {hours(audience.watch_seconds)}
      </Number>
    </>
  )
}

/** The change to the week before; nothing if that had nothing. */
function Change({ now, before }: { now: number; before: number }) {
  const words = useOverviewWords()
  const { percent } = useFormats()
  if (before === 0) return null
  const share = (now - before) / before
  const text = percent(Math.abs(share))
  return (
    <em data-good={share >= 0}>
      <span aria-hidden>{`${share < 0 ? '↓' : '↑'} ${text}`}</span>
      <VisuallyHidden>
        {interpolate(share < 0 ? words.less : words.more, { share: text })}
      </VisuallyHidden>
    </em>
  )
}

interface NumberProps {
  to: string
  search?: Record<string, string>
  account: string
  name: string
  /** Beside the number. */
  note?: ReactNode
  children: string
}

const Number = ({ to, search = {}, account, name, note, children }: NumberProps) => (
  <li>
    <Link to={to} params={{ account }} search={search}>
      <div>
        <strong>{children}</strong>
        {note}
      </div>
      <span>{name}</span>
    </Link>
  </li>
)
