import { lazy, Suspense } from 'react'
import { looksLikeFileName } from '../../../../../domain/videos/readable-title.ts'
import type { Video } from '../../../api/videos.ts'
import { IconAlertTriangle, IconMovie } from '../../../icons/icons.tsx'
import { interpolate } from '../../../locales/interpolate.ts'
import { useWords } from '../../../locales/words.tsx'
import { SelectBox } from '../../../parts/forms/select-box.tsx'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import { StatusBadge } from '../../../parts/text/status-badge.tsx'
import { NameVideo } from '../list/name-video.tsx'
import { Poster } from '../list/poster.tsx'
import { useShownVideo } from '../list/video-facts.ts'
import { useItem, type ItemProps } from '../list/video-item.ts'
import { VideoLink } from '../list/video-link.tsx'
import { StepBar } from '../video/step-bar.tsx'
import { useVideosWords } from '../words.ts'
import { useIsPreviewed, usePreview } from './preview.ts'
import classes from './video-grid.module.css'

const StoryboardPreview = lazy(async () => ({
  default: (await import('./storyboard-preview.tsx')).StoryboardPreview,
}))

/** A video in the grid; the whole card leads to its page. */
export function VideoCard(props: ItemProps) {
  const { account, video, selection, progress } = props
  const words = useWords()
  const { list } = useVideosWords()
  const { title, status, step, length } = useShownVideo(video, progress)
  const { begin, end } = usePreview(video.id)
  const canPreview = video.poster_url !== null
  return (
    // Its link has the focus; the pointer and the focus begin the preview.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      {...useItem(props)}
      className={classes.card}
      onPointerEnter={({ pointerType }) => {
        if (canPreview && pointerType === 'mouse') begin()
      }}
      onPointerLeave={end}
      onFocus={({ target }) => {
        if (canPreview && target.matches(':focus-visible')) begin()
      }}
      onBlur={end}
    >
      {selection && (
        <span className={classes.pick}>
          <SelectBox
            label={interpolate(list.select, { title })}
            isChecked={selection.ids.has(video.id)}
            onChange={(isChecked, isRange) => selection.choose(video.id, isChecked, isRange)}
          />
        </span>
      )}
      <div className={classes.frame} data-tall={isTall(video)}>
        <Poster
          url={video.poster_url}
          icon={status === 'failed' ? IconAlertTriangle : IconMovie}
          iconSize={28}
        />
        <Preview account={account} id={video.id} />
        {length !== '' && <span className={classes.length}>{length}</span>}
      </div>
      <div className={classes.text}>
        <VideoLink account={account} id={video.id} className={classes.title}>
          <span title={title} className={classes.name}>
            <bdi>{title}</bdi>
          </span>
        </VideoLink>
        {step ? (
          <StepBar
            step={step}
            secondsLeft={progress?.seconds_left}
            label={interpolate(words.progress.label, { title })}
          />
        ) : (
          <div className={classes.facts}>
            <StatusBadge status={status} />
            <RelativeTime at={video.created_at} />
          </div>
        )}
        {selection && looksLikeFileName(video.title) && (
          <NameVideo account={account} video={video} />
        )}
      </div>
    </li>
  )
}

/** Cut to the frame, little would be left of it. */
const isTall = ({ width, height }: Video): boolean => (height ?? 0) > (width ?? 0)

function Preview({ account, id }: { account: string; id: string }) {
  if (!useIsPreviewed(id)) return null
  return (
    <Suspense>
      <StoryboardPreview account={account} id={id} className={classes.preview} />
    </Suspense>
  )
}
