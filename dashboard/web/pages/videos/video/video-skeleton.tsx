import { Skeleton } from '@mantine/core'
import parts from '../../../parts/parts.module.css'
import classes from './video-page.module.css'

/** The place of a video that is loading: its title, its sections, its player and its facts. */
export const VideoSkeleton = () => (
  <div aria-busy>
    <div className={classes.header}>
      <Skeleton width="18rem" height="1.5rem" />
    </div>
    <div className={parts.subNavigation}>
      <Skeleton width="24rem" height="1.25rem" my="0.5rem" />
    </div>
    <div className={classes.page}>
      <Skeleton className={classes.screen} />
      <Skeleton className={classes.facts} height="auto" />
    </div>
  </div>
)
