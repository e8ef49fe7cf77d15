import { looksLikeFileName } from '../../../../../domain/videos/readable-title.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { useWords } from '../../../locales/words.tsx'
import { SelectBox } from '../../../parts/forms/select-box.tsx'
import { Cell, Folded, MainCell } from '../../../parts/lists/data-table.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { LongText } from '../../../parts/text/long-text.tsx'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import { StatusBadge } from '../../../parts/text/status-badge.tsx'
import { StepBar } from '../video/step-bar.tsx'
import { useVideosWords } from '../words.ts'
import { NameVideo } from './name-video.tsx'
import { Poster } from './poster.tsx'
import { useShownVideo } from './video-facts.ts'
import { useItem, type ItemProps } from './video-item.ts'
import { VideoLink } from './video-link.tsx'
import classes from './video-row.module.css'

/** A video in the table; the whole row leads to its page. */
export function VideoRow(props: ItemProps) {
  const { account, video, selection, progress } = props
  const words = useWords()
  const { list } = useVideosWords()
  const { bytes } = useFormats()
  const { title, status, step, length } = useShownVideo(video, progress)
  const label = interpolate(words.progress.label, { title })
  const bar = step && <StepBar step={step} secondsLeft={progress?.seconds_left} label={label} />
  const size = video.size_bytes === 0 ? '' : bytes(video.size_bytes)
  return (
    <tr {...useItem(props)}>
      {selection && (
        <Cell isLead>
          <SelectBox
            label={interpolate(list.select, { title })}
            isChecked={selection.ids.has(video.id)}
            onChange={(isChecked, isRange) => selection.choose(video.id, isChecked, isRange)}
          />
        </Cell>
      )}
      <MainCell>
        <div className={classes.what}>
          <div className={classes.poster}>
            <Poster url={video.poster_url} />
          </div>
          <div className={classes.names}>
            <VideoLink account={account} id={video.id} className={classes.title}>
              <LongText>{title}</LongText>
            </VideoLink>
            {selection && looksLikeFileName(video.title) && (
              <NameVideo account={account} video={video} />
            )}
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
      <Cell isFolded>{length}</Cell>
      <Cell isFolded>{size}</Cell>
      <Cell isFolded>
        <RelativeTime at={video.created_at} />
      </Cell>
    </tr>
  )
}
