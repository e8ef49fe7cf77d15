import { isComplete, isPlay, uniteParts, type SessionMeasures } from './session-measures.ts'
import { addDay, type ViewerDays } from './viewer-days.ts'

/** What a viewer has watched: of one video, or of all videos of an account. */
export interface WatchedByViewer extends ViewerDays {
  plays: number
  watchedMs: number
  firstSeenAtMs: number
  lastSeenAtMs: number
}

/** What a viewer has watched of one video. */
export interface ViewerProgress extends WatchedByViewer {
  /** Null until a player has reported one. */
  positionMs: number | null
  /** The hundredths that were shown in any of the viewer's sessions, as 100 characters; null if no player reported any. */
  parts: string | null
  /** When 90 of them were shown. */
  completedAtMs: number | null
}

/** What a session of the viewer is now, and what of it is counted already. */
export interface ViewerSession {
  measures: SessionMeasures
  counted: SessionMeasures | null
  /** Of its start. */
  day: number
  startedAtMs: number
  lastSeenAtMs: number
  positionMs: number | null
}

const isCountedPlay = ({ counted }: ViewerSession): boolean => counted !== null && isPlay(counted)

/** Watched time is that of plays. */
const watchedOf = (measures: SessionMeasures | null): number =>
  measures !== null && isPlay(measures) ? measures.watchedMs : 0

/**
 * Adds a session to what its viewer has watched, which is null before the first one. `isNewOnDay` says that it is the viewer's first
 * play of its day.
 */
export function addWatched(
  before: WatchedByViewer | null,
  session: ViewerSession,
): { after: WatchedByViewer; isNewOnDay: boolean } {
  const { measures, counted, day, startedAtMs, lastSeenAtMs } = session
  const isNewPlay = isPlay(measures) && !isCountedPlay(session)
  const days = { lastDay: before?.lastDay ?? null, recentDays: before?.recentDays ?? 0 }
  const { isNew, ...known } = isPlay(measures) ? addDay(days, day) : { ...days, isNew: false }
  return {
    after: {
      ...known,
      plays: (before?.plays ?? 0) + (isNewPlay ? 1 : 0),
      watchedMs: (before?.watchedMs ?? 0) + watchedOf(measures) - watchedOf(counted),
      firstSeenAtMs: Math.min(before?.firstSeenAtMs ?? startedAtMs, startedAtMs),
      lastSeenAtMs: Math.max(before?.lastSeenAtMs ?? lastSeenAtMs, lastSeenAtMs),
    },
    isNewOnDay: isNew,
  }
}

/** The same for one video, with position and parts. The position is that of the session that was seen last. */
export function addProgress(
  before: ViewerProgress | null,
  session: ViewerSession,
): { after: ViewerProgress; isNewOnDay: boolean } {
  const { after, isNewOnDay } = addWatched(before, session)
  const { positionMs, lastSeenAtMs, measures } = session
  const isLatest =
    before === null || before.positionMs === null || lastSeenAtMs >= before.lastSeenAtMs
  const parts = uniteParts(before?.parts ?? null, measures.parts)
  return {
    after: {
      ...after,
      positionMs: isLatest ? (positionMs ?? before?.positionMs ?? null) : before.positionMs,
      parts,
      completedAtMs: before?.completedAtMs ?? (isComplete(parts) ? lastSeenAtMs : null),
    },
    isNewOnDay,
  }
}
