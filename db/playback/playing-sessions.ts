import { sql } from 'kysely'
import { PLAYING_SEEN_MS } from '../../domain/limits.ts'
import { OVER_LIMIT_EVENT } from '../../domain/playback/concurrent-plays.ts'
import type { EntityManager } from '../database.ts'
import type { Page } from '../page.ts'
import { queries } from '../queries.ts'
import { LIFETIME } from './playback-sessions.ts'
import { lacksLease } from './stream-leases.ts'

/**
 * A playback session that has sent a heartbeat within `PLAYING_SEEN_MS`. One that is over the limit of its viewer's
 * plays does not play.
 */
export interface PlayingSession {
  /** A UUID. */
  id: string
  videoId: string
  videoTitle: string
  /** Null for playback without a viewer token. */
  viewerId: string | null
  refererHost: string | null
  startedAt: Date
  lastSeenAt: Date
  positionMs: number | null
}

/** Which playing sessions are shown. Absent parts admit every session. */
export interface PlayingFilter {
  videoId?: string | undefined
  viewerId?: string | undefined
  host?: string | undefined
}

/** The account's sessions that play now, most recently started first; at most `limit`. */
export async function listPlayingSessions(
  em: EntityManager,
  accountId: number,
  { videoId, viewerId, host }: PlayingFilter,
  limit: number,
): Promise<Page<PlayingSession>> {
  let matching = playing(em, accountId)
  if (videoId !== undefined) matching = matching.where('s.videoId', '=', videoId)
  if (viewerId !== undefined) matching = matching.where('s.viewerId', '=', viewerId)
  if (host !== undefined) matching = matching.where('s.refererHost', '=', host)
  const found = await selected(matching)
    .orderBy('s.startedAt', 'desc')
    .orderBy('s.id')
    .limit(limit + 1)
    .execute()
  return { rows: found.slice(0, limit), hasMore: found.length > limit }
}

/** The session if it is the account's and plays now; null otherwise. */
export const findPlayingSession = async (
  em: EntityManager,
  accountId: number,
  id: string,
): Promise<PlayingSession | null> =>
  (await selected(playing(em, accountId).where('s.id', '=', id)).executeTakeFirst()) ?? null

/** How many of the account's sessions play now. */
export async function countPlayingSessions(em: EntityManager, accountId: number): Promise<number> {
  const { count } = await playing(em, accountId)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

// By the time of the start, which has an index: one of the last heartbeat would slow every heartbeat down.
const playing = (em: EntityManager, accountId: number) =>
  queries(em)
    .selectFrom('playback_record as s')
    .innerJoin('video as v', 'v.id', 's.videoId')
    .where('s.accountId', '=', accountId)
    .where('s.startedAt', '>', sql<Date>`now() - ${sql.raw(LIFETIME)}`)
    .where('s.lastSeenAt', '>', sql<Date>`now() - ${PLAYING_SEEN_MS}::int * interval '1 ms'`)
    .where('s.endedAt', 'is', null)
    .where('v.deletedAt', 'is', null)
    .where(sql<boolean>`not ${isOverLimit}`)

/** The session has been over the limit of its viewer's plays, and has no lease now. Those of members never have. */
const isOverLimit = sql<boolean>`(${OVER_LIMIT_EVENT} = any(s.noted) and ${lacksLease({
  accountId: sql.ref('s.accountId'),
  viewerId: sql.ref('s.viewerId'),
  sessionId: sql.ref('s.id'),
})})`

const selected = (matching: ReturnType<typeof playing>) =>
  matching
    .select(['s.id', 's.videoId', 'v.title as videoTitle', 's.viewerId', 's.refererHost'])
    .select(['s.startedAt', 's.lastSeenAt', 's.positionMs'])
