import { useState } from 'react'
import { IconPlayerPlayFilled } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import { useWords } from '../../locales/words.tsx'
import { TextLink } from '../../parts/links/links.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { VideoPicture } from '../../parts/video-picture.tsx'
import type { SearchResult } from './caption-search.ts'
import { MomentPlayer } from './moment-player.tsx'
import classes from './search.module.css'
import { useSearchWords } from './words.ts'

interface Props {
  account: string
  results: readonly SearchResult[]
}

/** What makes a moment of a list the same after it is read again. */
const keyOf = ({ video, caption, start_seconds: start }: SearchResult): string =>
  `${video.id} ${caption.language_code} ${start}`

/** The moments, best first. One of them plays at a time, below its snippet. */
export function ResultList({ account, results }: Props) {
  const words = useSearchWords()
  const [playing, setPlaying] = useState<string | null>(null)
  return (
    <ul className={classes.results} aria-label={words.results}>
      {results.map((result) => {
        const key = keyOf(result)
        return (
          <li key={key}>
            <Result account={account} result={result} onPlay={() => setPlaying(key)} />
            {key === playing && <MomentPlayer account={account} result={result} />}
          </li>
        )
      })}
    </ul>
  )
}

interface ResultProps {
  account: string
  result: SearchResult
  onPlay: () => void
}

function Result({ account, result, onPlay }: ResultProps) {
  const words = useWords()
  const { playFrom } = useSearchWords()
  const { duration } = useFormats()
  const { video, caption, start_seconds: start } = result
  const time = duration(Math.floor(start))
  return (
    <div className={classes.result}>
      <VideoPicture url={video.poster_url} />
      <div className={classes.said}>
        <div className={classes.head}>
          <TextLink
            to="/accounts/$account/videos/$video"
            params={{ account, video: video.id }}
            className={classes.title}
          >
            <bdi>{video.title.trim() || words.videos.untitled}</bdi>
          </TextLink>
          <span className={classes.caption}>
            <bdi>{caption.label.trim() || caption.language_code}</bdi>
          </span>
        </div>
        <Snippet result={result} />
      </div>
      <button
        type="button"
        className={classes.play}
        aria-label={interpolate(playFrom, { time })}
        title={interpolate(playFrom, { time })}
        onClick={onPlay}
      >
        <IconPlayerPlayFilled size={14} />
        {time}
      </button>
    </div>
  )
}

/** In the language and the direction of the caption. */
const Snippet = ({ result: { snippet, caption } }: { result: SearchResult }) => (
  <p className={classes.snippet} lang={caption.language_code} dir="auto">
    {snippet.map(({ text, is_match: isMatch }, place) =>
      // Parts have no other name than their place.
      // oxlint-disable-next-line react/no-array-index-key
      isMatch ? <mark key={place}>{text}</mark> : <span key={place}>{text}</span>,
    )}
  </p>
)
