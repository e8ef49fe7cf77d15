import type { TotalName } from '../../domain/audience/totals.ts'

/** The column of each total, in the sums of hours and of days. */
export const TOTAL_COLUMN: Record<TotalName, string> = {
  plays: 'plays',
  attempts: 'attempts',
  errors: 'errors',
  watchedMs: 'watched_ms',
  mediaMs: 'media_ms',
  measuredPlays: 'measured_plays',
  watchedParts: 'watched_parts',
  completions: 'completions',
  stalls: 'stalls',
  stalledMs: 'stalled_ms',
  firstFrames: 'first_frames',
  firstFrameMs: 'first_frame_ms',
}
