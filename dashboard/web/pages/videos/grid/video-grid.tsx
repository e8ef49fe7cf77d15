import { Skeleton } from '@mantine/core'
import { useWords } from '../../../locales/words.tsx'
import type { ViewProps } from '../list/videos-table.tsx'
import { VideoCard } from './video-card.tsx'
import classes from './video-grid.module.css'

const SKELETONS = 8

/** A page of videos as large posters. */
export function VideoGrid({ account, videos, selection, draggedWith, progress }: ViewProps) {
  const { title } = useWords().videos
  return (
    <ul className={classes.grid} aria-label={title} data-selecting={(selection?.ids.size ?? 0) > 0}>
      {videos.map((video) => (
        <VideoCard
          key={video.id}
          account={account}
          video={video}
          selection={selection}
          dragged={draggedWith(video)}
          progress={progress.get(video.id)}
        />
      ))}
    </ul>
  )
}

/** As large as the cards that will come. */
export const GridSkeleton = () => (
  <div className={classes.grid} aria-hidden>
    {Array.from({ length: SKELETONS }, (_, card) => (
      <div key={card} className={classes.card}>
        <Skeleton className={classes.frame} radius={0} />
        <div className={classes.text}>
          <Skeleton height={14} mt={4} width="70%" />
          <Skeleton height={12} mt={6} width="45%" />
        </div>
      </div>
    ))}
  </div>
)
