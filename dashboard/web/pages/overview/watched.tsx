import { Link } from '@tanstack/react-router'
import type { Overview } from '../../api/overview.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { useWords } from '../../locales/words.tsx'
import layout from '../../parts/layout.module.css'
import { Section } from '../../parts/section.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { VideoPicture } from '../../parts/video-picture.tsx'
import classes from './overview.module.css'

interface Props {
  account: string
  watched: Overview['watched']
}

/** The videos that viewers played last. */
export function Watched({ account, watched }: Props) {
  const { overview, videos } = useWords()
  const { number } = useFormats()
  const { hours, play_count: count } = watched
  const plays = count >= COUNTED_PLAYS ? `${number(COUNTED_PLAYS)}+` : number(count)
  return (
    <Section
      className={layout.card}
      title={overview.watched.title}
      actions={
        count > 0 && (
          <span className={layout.quiet}>
            {interpolate(overview.watched.plays, { number: plays, hours })}
          </span>
        )
      }
    >
      <ul className={classes.rows}>
        {watched.data.map(({ id, title, poster_url: url, played_at: at, host }) => (
          <li key={id} className={classes.video}>
            <VideoPicture url={url} />
            <div className={classes.what}>
              <Link
                to="/accounts/$account/videos/$video"
                params={{ account, video: id }}
                title={title}
              >
                <bdi>{title.trim() || videos.untitled}</bdi>
              </Link>
              <p className={layout.under}>
                <RelativeTime at={at} />
                {host !== null && <bdi>{host}</bdi>}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** How many plays the server reads. */
const COUNTED_PLAYS = 1000
