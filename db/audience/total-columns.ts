import { sql, type RawBuilder } from 'kysely'
import { TOTAL_NAMES, type TotalName } from '../../domain/audience/totals.ts'

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

/** Joins a text for each total, made of its column and of its name in quotes. */
export const eachTotal = (text: (column: string, name: string) => string): RawBuilder<unknown> =>
  sql.raw(TOTAL_NAMES.map((name) => text(TOTAL_COLUMN[name], `"${name}"`)).join(', '))
