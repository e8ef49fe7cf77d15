import { Link } from '@tanstack/react-router'
import { isFinal } from '../../../../domain/videos/video-state.ts'
import type { Overview } from '../../api/overview.ts'
import { useProgress } from '../../api/progress.ts'
import type { VideoProgress } from '../../api/videos.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { useWords } from '../../locales/words.tsx'
import layout from '../../parts/layout.module.css'
import { Section } from '../../parts/section.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { StatusBadge } from '../../parts/text/status-badge.tsx'
import { VideoPicture } from '../../parts/video-picture.tsx'
import { StepBar } from '../videos/video/step-bar.tsx'
import { currentStep } from '../videos/video/step-words.ts'
import classes from './overview.module.css'

interface Props {
  account: string
  encoding: Overview['encoding']
}

/** The videos that are being encoded, with their progress. */
export function Encoding({ account, encoding }: Props) {
  const { overview } = useWords()
  const { number } = useFormats()
  const progress = useProgress(account, encoding.data)
  const more = encoding.count - encoding.data.length
  return (
    <Section className={layout.card} title={overview.encoding.title}>
      <ul className={classes.rows}>
        {encoding.data.map((video) => (
          <EncodingRow
            key={video.id}
            account={account}
            video={video}
            progress={progress.get(video.id)}
          />
        ))}
      </ul>
      {more > 0 && (
        <Link className={classes.all} to="/accounts/$account/videos" params={{ account }}>
          {interpolate(overview.encoding.more, { number: number(more) })}
        </Link>
      )}
    </Section>
  )
}

interface RowProps {
  account: string
  video: Overview['encoding']['data'][number]
  progress: VideoProgress | undefined
}

function EncodingRow({ account, video, progress }: RowProps) {
  const words = useWords()
  const title = video.title.trim() || words.videos.untitled
  const status = progress?.status ?? video.status
  const step = isFinal(status) ? undefined : currentStep(progress?.steps ?? [])
  return (
    <li className={classes.video}>
      <VideoPicture url={null} />
      <div className={classes.what}>
        <Link
          to="/accounts/$account/videos/$video"
          params={{ account, video: video.id }}
          title={title}
        >
          <bdi>{title}</bdi>
        </Link>
        <div className={classes.progress}>
          {step ? (
            <StepBar
              step={step}
              secondsLeft={progress?.seconds_left}
              label={interpolate(words.progress.label, { title })}
            />
          ) : (
            <StatusBadge status={status} />
          )}
        </div>
      </div>
    </li>
  )
}
