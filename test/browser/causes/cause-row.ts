import type { PlaybackCause } from '../../../domain/playback-reports/playback-causes.ts'
import type { Stage } from './stage.ts'

/** What a viewer reads. */
export interface Shown {
  sentence: string
  code: string
}

/** What the report of a cause knows. */
export interface Known {
  /** `deleted` is one whose title is not known any more. */
  video: 'the video' | 'the protected video' | 'deleted' | null
  viewer: string | null
  host: string | null
}

/** How a cause of not playing comes about, what the viewer reads then, and what the code leads to. */
export interface CauseRow {
  cause: PlaybackCause
  /** Tells apart the rows of one cause. */
  how?: string
  produce: (stage: Stage) => Promise<Shown>
  shown: string
  message: string | RegExp
  next: string
  /** The page of the dashboard for the next step, with `{video}`; null if it is done elsewhere. */
  setting: string | null
  /** Null if no report is kept. */
  report: Known | null
}
