import { countParts, isPlay, PARTS, type SessionMeasures } from '../audience/session-measures.ts'
import type { Stretch } from '../audience/stretches.ts'
import { playedSegments, segmentsOfParts } from './played-segments.ts'

/** What a statement says: that a session has ended, or that its viewer has completed the video. */
export type StatementVerb = 'terminated' | 'completed'

/** The numbers of a statement, which wait with it. */
export interface StatementFacts {
  sessionId: string
  /** Of the video, when it was counted. */
  title: string
  lengthSeconds: number | null
  watchedSeconds: number
  /** The position of the session. */
  timeSeconds: number
  /** The share of the video that was shown, from 0 to 1; null if no player reported it. */
  progress: number | null
  /** As the Video Profile writes them; null if none is known. */
  playedSegments: string | null
  /** At which most was played; 1 is the normal speed. Null if it is not known. */
  speed: number | null
}

/** A statement that waits for the record store of its account. */
export interface Statement {
  /** Always the same for the same fact. */
  id: string
  accountId: number
  viewerId: string
  videoId: string
  verb: StatementVerb
  atMs: number
  facts: StatementFacts
}

/** What is known of the session that a statement is about. */
export interface StatedSession {
  id: string
  title: string
  stretches: readonly Stretch[]
  durationMs: number | null
  positionMs: number | null
  measures: SessionMeasures
}

interface Statable {
  viewerId: string | null
  /** Whether its account has a record store that takes statements. */
  hasRecordStore: boolean
  counted: SessionMeasures | null
  measures: SessionMeasures
}

/** Whether statements may be written about a session at all: the account has a record store, and the viewer is known. */
export const mayBeStated = ({
  viewerId,
  hasRecordStore,
}: Pick<Statable, 'viewerId' | 'hasRecordStore'>): boolean => hasRecordStore && viewerId !== null

/** Whether the totals of a session are news: it is a play, and has played since it was counted last. */
export const isNews = ({ measures, counted }: Pick<Statable, 'counted' | 'measures'>): boolean =>
  isPlay(measures) && counted?.watchedMs !== measures.watchedMs

/** Returns what a statement says of a session alone. Its measures are those that it is credited with. */
export function sessionFacts(session: StatedSession): StatementFacts {
  const { parts, watchedMs } = session.measures
  const common = commonFacts(session)
  return {
    ...common,
    watchedSeconds: watchedMs / 1000,
    progress: shareOf(parts),
    playedSegments: parts === null ? null : playedSegments(session.stretches, common.lengthSeconds),
  }
}

/** Returns what a statement says of all that a viewer has watched of a video. `session` is that which completed it. */
export function completionFacts(
  session: StatedSession,
  { parts, watchedMs }: { parts: string | null; watchedMs: number },
): StatementFacts {
  const common = commonFacts(session)
  const { lengthSeconds } = common
  const segments =
    parts === null || lengthSeconds === null ? [] : segmentsOfParts(parts, lengthSeconds)
  return {
    ...common,
    watchedSeconds: watchedMs / 1000,
    progress: shareOf(parts),
    playedSegments: playedSegments(segments, lengthSeconds),
  }
}

function commonFacts({ id, title, stretches, durationMs, positionMs, measures }: StatedSession) {
  return {
    sessionId: id,
    title,
    lengthSeconds: durationMs === null ? null : durationMs / 1000,
    timeSeconds: positionMs === null ? (stretches.at(-1)?.to ?? 0) : positionMs / 1000,
    speed: measures.speed === null ? null : measures.speed / 100,
  }
}

const shareOf = (parts: string | null): number | null =>
  parts === null ? null : countParts(parts) / PARTS
