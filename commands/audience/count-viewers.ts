import type { LockedSession } from '../../db/audience/sessions-to-count.ts'
import {
  lockProgress,
  lockViewers,
  type StoredProgress,
  type StoredViewer,
} from '../../db/audience/viewers.ts'
import { writeProgress, writeViewers } from '../../db/audience/write-viewers.ts'
import type { EntityManager } from '../../db/database.ts'
import type { FirstPlay } from '../../domain/audience/days-of.ts'
import { ALL_VIDEOS, creditedMeasures, dayOf } from '../../domain/audience/fold-sessions.ts'
import { isPlay } from '../../domain/audience/session-measures.ts'
import {
  addProgress,
  addWatched,
  type ViewerProgress,
  type ViewerSession,
} from '../../domain/audience/viewer-progress.ts'
import type { Completion } from '../xapi/append-statements.ts'

/** What sessions have changed for their viewers. */
export interface CountedViewers {
  /** The first plays of viewers on a day. */
  firstPlays: FirstPlay[]
  completions: Completion[]
}

/**
 * Adds sessions to what their viewers have watched, of each video and in all. Leaves out sessions without a verified viewer, and those of
 * accounts that keep totals only.
 */
export async function countViewers(
  tx: EntityManager,
  sessions: readonly LockedSession[],
): Promise<CountedViewers> {
  // The position is that of the last one.
  const ofViewers = sessions
    .flatMap((session) => seenOf(session) ?? [])
    .toSorted((a, b) => a.lastSeenAtMs - b.lastSeenAtMs)
  const viewers = byKey(await lockViewers(tx, ofViewers), viewerKey)
  const progress = byKey(await lockProgress(tx, ofViewers), progressKey)
  const firstPlays: FirstPlay[] = []
  const completions: Completion[] = []
  for (const session of ofViewers) {
    const { accountId, viewerId, videoId, day } = session
    const watched = addWatched(viewers.get(viewerKey(session)) ?? null, session)
    viewers.set(viewerKey(session), { accountId, viewerId, ...watched.after })
    if (watched.isNewOnDay) firstPlays.push({ accountId, videoId: ALL_VIDEOS, day, viewerId })
    const before = progress.get(progressKey(session)) ?? null
    const ofVideo = addProgress(before, session)
    if (isCompletion(before, ofVideo.after)) completions.push(completionOf(session, ofVideo.after))
    progress.set(progressKey(session), { accountId, viewerId, videoId, ...ofVideo.after })
    if (ofVideo.isNewOnDay) firstPlays.push({ accountId, videoId, day, viewerId })
  }
  await writeViewers(tx, [...viewers.values()])
  await writeProgress(tx, [...progress.values()])
  return { firstPlays, completions }
}

const isCompletion = (before: ViewerProgress | null, after: ViewerProgress): boolean =>
  (before?.completedAtMs ?? null) === null && after.completedAtMs !== null

const completionOf = (
  { session }: SeenSession,
  { parts, watchedMs }: ViewerProgress,
): Completion => ({ session, parts, watchedMs })

interface SeenSession extends ViewerSession {
  accountId: number
  viewerId: string
  videoId: string
  session: LockedSession
}

/**
 * Returns the plays of verified viewers in accounts that keep totals only, of each video and of all. Any of them may be the first one of
 * its viewer on its day: only the sketch of the day knows how many viewers it has had.
 */
export const playsOfUnknown = (sessions: readonly LockedSession[]): FirstPlay[] =>
  sessions.flatMap(({ isTotalsOnly, viewerId, measures, accountId, videoId, startedAtMs }) => {
    if (!isTotalsOnly || viewerId === null || !isPlay(measures)) return []
    const play = { accountId, day: dayOf(startedAtMs), viewerId }
    return [
      { ...play, videoId },
      { ...play, videoId: ALL_VIDEOS },
    ]
  })

function seenOf(session: LockedSession): SeenSession | null {
  const { accountId, viewerId, videoId, startedAtMs, lastSeenAtMs, positionMs, counted } = session
  if (viewerId === null || session.isTotalsOnly) return null
  const of = { accountId, viewerId, videoId, startedAtMs, lastSeenAtMs, positionMs, counted }
  return { ...of, session, measures: creditedMeasures(session), day: dayOf(startedAtMs) }
}

const viewerKey = ({ accountId, viewerId }: Pick<StoredViewer, 'accountId' | 'viewerId'>): string =>
  `${accountId} ${viewerId}`

const progressKey = ({
  videoId,
  ...viewer
}: Pick<StoredProgress, 'accountId' | 'viewerId' | 'videoId'>): string =>
  `${videoId} ${viewerKey(viewer)}`

const byKey = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row> =>
  new Map(rows.map((row) => [keyOf(row), row]))
