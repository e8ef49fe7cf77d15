import { isFinal } from '../../../../domain/videos/video-state.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { useWords } from '../../locales/words.tsx'
import { StepBar } from '../../pages/videos/video/step-bar.tsx'
import { currentStep } from '../../pages/videos/video/step-words.ts'
import { StatusBadge } from '../../parts/text/status-badge.tsx'
import { useUploadsWords } from '../words.ts'
import classes from './tray.module.css'
import type { Encoding } from './use-encoding.ts'

/** How far the video of an upload is. */
export function EncodingState({ encoding }: { encoding: Encoding | undefined }) {
  const { progress: words } = useWords()
  const { states } = useUploadsWords()
  if (!encoding) return <span className={classes.state}>{states.done}</span>
  const { video, progress } = encoding
  const status = progress?.status ?? video.status
  const step = isFinal(status) ? undefined : currentStep(progress?.steps ?? [])
  const label = interpolate(words.label, { title: video.title })
  return (
    <span className={classes.state}>
      {step ? (
        <StepBar step={step} secondsLeft={progress?.seconds_left} label={label} />
      ) : (
        <StatusBadge status={status} />
      )}
    </span>
  )
}
