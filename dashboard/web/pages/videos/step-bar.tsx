import { Progress } from '@mantine/core'
import type { VideoStep } from '../../api/videos.ts'
import { useFormats } from '../../parts/formats.ts'
import { useWords } from '../../words/words.tsx'
import { stepName } from './step-words.ts'
import classes from './videos.module.css'

interface Props {
  step: VideoStep
  /** For screen readers. */
  label: string
}

/** One step of an ingest: its name, how far it is, and a bar. */
export function StepBar({ step: { name, stage, fraction }, label }: Props) {
  const words = useWords()
  const { percent } = useFormats()
  const running = fraction === null ? '' : percent(fraction)
  const texts = { waiting: words.progress.waiting, running, done: words.progress.done }
  return (
    <div className={classes.bar}>
      <div className={classes.barText}>
        <bdi>{stepName(name, words)}</bdi>
        <span>{texts[stage]}</span>
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
