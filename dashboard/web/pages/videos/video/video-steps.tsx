import { Progress, Text, VisuallyHidden } from '@mantine/core'
import type { Video, VideoProgress, VideoStep } from '../../../api/videos.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { useWords } from '../../../locales/words.tsx'
import { Section } from '../../../parts/section.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { useNow } from '../../../parts/text/now.ts'
import { useVideosWords } from '../words.ts'
import { ChunkStrip, countOf } from './chunk-strip.tsx'
import { stepName } from './step-words.ts'
import classes from './video-steps.module.css'

/** A step reports every five seconds; longer silence is worth a word. */
const SILENCE_MS = 30_000

interface Props {
  video: Video
  /** Undefined until it is known. */
  progress: VideoProgress | undefined
}

/** How far a running ingest is: as a whole, and each step with the chunks that are done, run and wait. */
export function VideoSteps({ video, progress }: Props) {
  const words = useWords()
  const { encoding } = useVideosWords()
  const { title } = video
  const steps = progress?.steps ?? []
  const label = interpolate(words.progress.label, { title })
  return (
    <Section title={words.video.progress} className={classes.panel}>
      {progress && steps.length === 0 && <Text size="sm">{encoding.starts}</Text>}
      {progress && steps.length > 0 && <Whole progress={progress} />}
      {steps.length > 0 && (
        <ul className={classes.steps}>
          {steps.map((step) => (
            <Step key={step.name} step={step} label={label} />
          ))}
        </ul>
      )}
      {steps.some(({ chunks }) => chunks.length > 0) && <Legend />}
    </Section>
  )
}

/** The whole in a sentence. Screen readers hear each quarter, not each percent. */
function Whole({ progress }: { progress: VideoProgress }) {
  const { percent: done, seconds_left: secondsLeft, watchable_seconds: watchable } = progress
  const { progress: words } = useWords()
  const { encoding } = useVideosWords()
  const { relative, percent, duration } = useFormats()
  const now = useNow()
  const lastMs = progress.updated_at === null ? now : Date.parse(progress.updated_at)
  const quarter = Math.floor(done / 25) / 4
  return (
    <Text size="sm">
      <strong>{percent(done / 100)}</strong>
      {secondsLeft !== null && ` · ${interpolate(words.left, { time: duration(secondsLeft) })}`}
      {watchable !== null && watchable > 0 && (
        <> · {interpolate(words.watchable, { time: duration(watchable) })}</>
      )}
      {now - lastMs > SILENCE_MS && (
        <> · {interpolate(words.silent, { time: relative(lastMs, now) })}</>
      )}
      <VisuallyHidden component="output">
        {quarter > 0 && interpolate(encoding.announced, { percent: percent(quarter) })}
      </VisuallyHidden>
    </Text>
  )
}

function Step({ step, label }: { step: VideoStep; label: string }) {
  const words = useWords()
  const { percent } = useFormats()
  const { stage, fraction, chunks } = step
  const name = stepName(step.name, words)
  const running = fraction === null ? '' : percent(fraction)
  const texts = { waiting: words.progress.waiting, running, done: words.progress.done }
  return (
    <li>
      <bdi>{name}</bdi>
      {chunks.length > 0 ? (
        <Chunks name={name} chunks={chunks} />
      ) : (
        <Progress
          size="xs"
          value={stage === 'waiting' ? 0 : (fraction ?? 1) * 100}
          animated={stage === 'running' && fraction === null}
          color={stage === 'done' ? 'gray' : 'pine'}
          aria-label={`${label}: ${name}`}
        />
      )}
      <span className={classes.value}>{texts[stage]}</span>
    </li>
  )
}

/** The strip of a rendition, with the same in words. */
function Chunks({ name, chunks }: { name: string; chunks: VideoStep['chunks'] }) {
  const { encoding } = useVideosWords()
  const { number } = useFormats()
  const label = interpolate(encoding.chunks, {
    name,
    done: number(countOf(chunks, 'done')),
    count: number(countOf(chunks)),
    running: number(countOf(chunks, 'running')),
  })
  return <ChunkStrip chunks={chunks} label={label} />
}

function Legend() {
  const { encoding } = useVideosWords()
  return (
    <div className={classes.legend} aria-hidden>
      {(['done', 'running', 'waiting'] as const).map((stage) => (
        <span key={stage}>
          <span className={classes.key} data-stage={stage} />
          {encoding.stages[stage]}
        </span>
      ))}
    </div>
  )
}
