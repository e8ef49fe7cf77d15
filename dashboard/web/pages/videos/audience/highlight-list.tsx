import type { Retention } from '../../../api/audience.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { useFormats } from '../../../parts/text/formats.ts'
import { useAudienceWords } from '../../audience/words.ts'
import { usePlayback } from '../video/playback.tsx'
import { highlightsOf, type Highlight } from './highlights.ts'
import classes from './retention.module.css'

interface Props {
  curve: Retention
  /** Of the video, in seconds. */
  duration: number
}

/** The highlights of a curve, in words. Each leads to its place in the player. */
export function HighlightList({ curve, duration: seconds }: Props) {
  const { retention: words } = useAudienceWords()
  const { duration } = useFormats()
  const textOf = useHighlightText()
  const { playFrom } = usePlayback()
  const highlights = highlightsOf(curve, seconds)
  if (highlights.length === 0) return null
  return (
    <ul className={classes.highlights} aria-label={words.highlights}>
      {highlights.map((highlight) => {
        const at = (highlight.part * seconds) / 100
        return (
          <li key={highlight.kind}>
            <button type="button" onClick={() => playFrom(at)}>
              <span>{duration(at)}</span> {textOf(highlight)}
            </button>
          </li>
        )
      })}
    </ul>
  )
}

function useHighlightText(): (highlight: Highlight) => string {
  const { retention: words } = useAudienceWords()
  const { share: shareText } = useFormats()
  return (highlight) =>
    highlight.kind === 'drop'
      ? interpolate(words.drop, {
          before: shareText(highlight.before),
          after: shareText(highlight.after),
        })
      : interpolate(words[highlight.kind], { share: shareText(highlight.share) })
}
