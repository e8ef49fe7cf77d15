import { Text } from '@mantine/core'
import type { Video, VideoProgress } from '../../../api/videos.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { useWords } from '../../../locales/words.tsx'
import { Section } from '../../../parts/section.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { useNow } from '../../../parts/text/now.ts'
import classes from '../videos.module.css'
import { StepBar } from './step-bar.tsx'

/** A step reports every five seconds; longer silence is worth a word. */
const SILENCE_MS = 30_000

interface Props {
  video: Video
  progress: VideoProgress
}

/** Each step of a running ingest. */
export function VideoSteps({ video, progress }: Props) {
  const { steps, percent: done, seconds_left: secondsLeft, updated_at: updatedAt } = progress
  const { watchable_seconds: watchable } = progress
  const words = useWords()
  const { relative, percent, duration } = useFormats()
  const now = useNow()
  if (steps.length === 0) return null
  const lastMs = updatedAt === null ? now : Date.parse(updatedAt)
  const label = interpolate(words.progress.label, { title: video.title })
  return (
    <Section title={words.video.progress}>
      {now - lastMs > SILENCE_MS && (
        <Text size="sm">{interpolate(words.progress.silent, { time: relative(lastMs, now) })}</Text>
      )}
      <Text size="sm">
        {percent(done / 100)}
        {secondsLeft !== null &&
          ` · ${interpolate(words.progress.left, { time: duration(secondsLeft) })}`}
      </Text>
      {watchable !== null && watchable > 0 && (
        <Text size="sm">
          {interpolate(words.progress.watchable, { time: duration(watchable) })}
        </Text>
      )}
      <ul className={classes.steps}>
        {steps.map((step) => (
          <li key={step.name}>
            <StepBar step={step} label={`${label}: ${step.name}`} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
