import { Progress } from '@mantine/core'
import type { VideoStep } from '../../../api/videos.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { useWords } from '../../../locales/words.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import classes from './step-bar.module.css'
import { stepName } from './step-words.ts'

interface Props {
  step: VideoStep
  /** Until the whole video is ready; null if it is not known, or not to be shown. */
  secondsLeft?: number | null
  /** For screen readers. */
  label: string
}

/** One step of an ingest: its name, how far it is, and a bar. */
export function StepBar({ step: { name, stage, fraction }, secondsLeft = null, label }: Props) {
  const words = useWords()
  const { percent, duration } = useFormats()
  const running = fraction === null ? '' : percent(fraction)
  const texts = { waiting: words.progress.waiting, running, done: words.progress.done }
  return (
    <div className={classes.bar}>
      <div className={classes.barText}>
        <bdi>{stepName(name, words)}</bdi>
        <span>
          {texts[stage]}
          {secondsLeft !== null &&
            ` · ${interpolate(words.progress.left, { time: duration(secondsLeft) })}`}
        </span>
      </div>
      <Progress
        size="xs"
        mt={4}
        value={fraction === null ? 100 : fraction * 100}
        animated={stage === 'running' && fraction === null}
        color={stage === 'done' ? 'gray' : 'pine'}
        aria-label={label}
      />
    </div>
  )
}
