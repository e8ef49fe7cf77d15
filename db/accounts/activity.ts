import { sql } from 'kysely'
import { DASHBOARD_VIEWER_PREFIX } from '../../domain/settings/preview-look.ts'
import { isFinal, VIDEO_STATUSES, type VideoStatus } from '../../domain/videos/video-state.ts'
import type { EntityManager } from '../database.ts'
import { keptSince, queries } from '../queries.ts'

/** What has not ended. */
const ENCODING = VIDEO_STATUSES.filter((status) => !isFinal(status))

/** How much is read at most, so that the cost has a limit. */
const COUNTED_VIDEOS = 10_000
const SEARCHED_VIDEOS = 200
const SEARCHED_PLAYS = 1000
/** For each video that is shown. */
const CANDIDATES = 4

/** The videos of an account, as its index has them. */
export interface VideoFacts {
  /** At most `COUNTED_VIDEOS`. */
  count: number
  /** Of the newest `SEARCHED_VIDEOS`; null if none of them is ready. */
  newestReadyId: string | null
}

export async function readVideoFacts(em: EntityManager, accountId: number): Promise<VideoFacts> {
  const videos = queries(em)
    .selectFrom('video')
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
  const newest = videos
    .select(['id', 'status', 'createdAt'])
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(SEARCHED_VIDEOS)
  const ready = queries(em)
    .selectFrom(newest.as('n'))
    .select('n.id')
    .where('n.status', '=', 'ready')
    .orderBy('n.createdAt', 'desc')
    .orderBy('n.id', 'desc')
    .limit(1)
  return queries(em)
    .selectFrom(videos.select('accountId').limit(COUNTED_VIDEOS).as('v'))
    .select([sql<number>`count(*)::int`.as('count'), ready.as('newestReadyId')])
    .executeTakeFirstOrThrow()
}

export interface EncodingVideo {
  id: string
  title: string
  status: VideoStatus
}

/**
 * The videos whose ingest has not ended: how many, of at most `SEARCHED_VIDEOS`, and `limit` of them: those that run
 * before those that wait, and of each the newest first.
 */
export async function readEncoding(
  em: EntityManager,
  accountId: number,
  limit: number,
): Promise<{ count: number; videos: EncodingVideo[] }> {
  const some = queries(em)
    .selectFrom('video')
    .select(['id', 'title', 'status', 'createdAt'])
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .where('status', 'in', ENCODING)
    // Those that wait come last, as in the index.
    .orderBy('status')
    .limit(SEARCHED_VIDEOS)
  const rows = await queries(em)
    .selectFrom(some.as('v'))
    .select(['v.id', 'v.title', 'v.status', sql<number>`(count(*) over ())::int`.as('count')])
    .orderBy(sql`v.status = 'queued'`)
    .orderBy('v.createdAt', 'desc')
    .orderBy('v.id', 'desc')
    .limit(limit)
    .execute()
  const videos = rows.map(({ id, title, status }) => ({ id, title, status }))
  return { count: rows[0]?.count ?? 0, videos }
}

/** A video that a viewer played, and where last. */
export interface WatchedVideo {
  id: string
  title: string
  hasPoster: boolean
  posterVersion: number
  playedAt: Date
  /** Null for a player that sent none. */
  host: string | null
}

/**
 * What viewers played: the `limit` videos that were played last, and how many plays began in the last `hours`; of the
 * newest `SEARCHED_PLAYS` plays of the account. Those of members in the dashboard do not count.
 */
export async function readWatched(
  em: EntityManager,
  accountId: number,
  { hours, limit }: { hours: number; limit: number },
): Promise<{ playCount: number; videos: WatchedVideo[] }> {
  const last = queries(em)
    .selectFrom(newestPlays(em, accountId, hours).as('p'))
    .distinctOn('p.videoId')
    .selectAll()
    .orderBy('p.videoId')
    .orderBy('p.startedAt', 'desc')
  // Some of them may be deleted; the rows of the others are not read.
  const candidates = queries(em)
    .selectFrom(last.as('c'))
    .selectAll()
    .orderBy('c.startedAt', 'desc')
    .limit(limit * CANDIDATES)
  const rows = await queries(em)
    .selectFrom(candidates.as('l'))
    .innerJoin('video as v', 'v.id', 'l.videoId')
    .select(['v.id', 'v.title', 'v.hasPoster', 'v.posterVersion'])
    .select(['l.startedAt as playedAt', 'l.refererHost as host', 'l.playCount'])
    .where('v.deletedAt', 'is', null)
    .orderBy('l.startedAt', 'desc')
    .limit(limit)
    .execute()
  const videos = rows.map(({ playCount: _playCount, ...video }) => video)
  return { playCount: rows[0]?.playCount ?? 0, videos }
}

/** The newest plays of viewers, each with the number of those that began in the last `hours`. */
function newestPlays(em: EntityManager, accountId: number, hours: number) {
  const newest = queries(em)
    .selectFrom('playback_record')
    .select(['videoId', 'viewerId', 'refererHost', 'startedAt'])
    .where('accountId', '=', accountId)
    .where('startedAt', '>=', keptSince('playback_record'))
    .orderBy('startedAt', 'desc')
    .limit(SEARCHED_PLAYS)
  return queries(em)
    .selectFrom(newest.as('s'))
    .select(['s.videoId', 's.refererHost', 's.startedAt'])
    .select(
      sql<number>`(count(*) filter (where s.started_at > now() - ${hours}::int * interval '1 hour')
        over ())::int`.as('playCount'),
    )
    .where(sql<boolean>`coalesce(s.viewer_id, '') not like ${`${DASHBOARD_VIEWER_PREFIX}%`}`)
}
