import { isFinal } from '../../../../../domain/videos/video-state.ts'
import { videosMatch, type Video, type VideoProgress } from '../../../api/videos.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { useWords } from '../../../locales/words.tsx'
import { SelectBox } from '../../../parts/forms/select-box.tsx'
import { Cell, Folded, MainCell, RowLink } from '../../../parts/lists/data-table.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { LongText } from '../../../parts/text/long-text.tsx'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import { StatusBadge } from '../../../parts/text/status-badge.tsx'
import { Poster } from '../poster/poster.tsx'
import { StepBar } from '../video/step-bar.tsx'
import { currentStep } from '../video/step-words.ts'
import classes from '../videos.module.css'
import { useVideosWords } from '../words.ts'
import type { Selection } from './selection.ts'

interface Props {
  account: string
  video: Video
  /** Null for members who may not change videos. */
  selection: Selection | null
  progress: VideoProgress | undefined
}

/** A video in the list; the whole row leads to its page. */
export function VideoRow({ account, video, selection, progress }: Props) {
  const words = useWords()
  const { list } = useVideosWords()
  const { bytes, duration } = useFormats()
  const title = video.title.trim() || words.videos.untitled
  const status = progress?.status ?? video.status
  const step = isFinal(status) ? undefined : currentStep(progress?.steps ?? [])
  const label = interpolate(words.progress.label, { title })
  const bar = step && <StepBar step={step} secondsLeft={progress?.seconds_left} label={label} />
  const length = video.duration === null ? '' : duration(video.duration)
  const size = video.size_bytes === 0 ? '' : bytes(video.size_bytes)
  return (
    <tr data-selected={selection?.ids.has(video.id)}>
      {selection && (
        <Cell isLead>
          <SelectBox
            label={interpolate(list.select, { title })}
            isChecked={selection.ids.has(video.id)}
            onChange={(isChecked) => selection.set([video.id], isChecked)}
          />
        </Cell>
      )}
      <MainCell>
        <div className={classes.what}>
          <Poster url={video.poster_url} />
          <div className={classes.names}>
            <RowLink
              to="/accounts/$account/videos/$video"
              params={{ account, video: video.id }}
              search={videosMatch}
            >
              <LongText>{title}</LongText>
            </RowLink>
            <Folded>
              <StatusBadge status={status} />
              <span>{length}</span>
              <RelativeTime at={video.created_at} />
              {bar}
            </Folded>
          </div>
        </div>
      </MainCell>
      <Cell isFolded>{bar ?? <StatusBadge status={status} />}</Cell>
      <Cell isFolded isNumber>
        {length}
      </Cell>
      <Cell isFolded isNumber>
        {size}
      </Cell>
      <Cell isFolded>
        <RelativeTime at={video.created_at} />
      </Cell>
    </tr>
  )
}
