import type { EntityManager } from './database.ts'
import type { Account, Plan } from './entities/account.ts'
import { Account as AccountEntity, Plan as PlanEntity } from './entities/account.ts'
import { PlaybackSession } from './entities/event.ts'
import { ContentKey, Rendition, Video } from './entities/video.ts'

export interface PlaybackFacts {
  video: Video
  account: Account
  plan: Plan | null
}

/** Video and account of an embed address, unless they do not belong together or the video is deleted. */
export async function findPlayback(
  em: EntityManager,
  videoId: string,
  accountId: number,
): Promise<PlaybackFacts | null> {
  const [video, account, plan] = await Promise.all([
    em.fork().findOne(Video, { id: videoId, accountId, deletedAt: null }),
    em.fork().findOne(AccountEntity, { id: accountId }),
    em.fork().findOne(PlanEntity, { accountId }),
  ])
  return video && account ? { video, account, plan } : null
}

export interface NewSession {
  id: string
  accountId: number
  videoId: string
  viewerId: string | null
  signingSecretVersion: number
  refererHost: string | null
  userAgent: string | null
}

/** Records the beginning of a playback. */
export async function insertSession(em: EntityManager, session: NewSession): Promise<void> {
  await em.insert(PlaybackSession, session)
}

/**
 * Marks a session as seen; false where it may not go on: its video was deleted or failed, or the
 * account's signing secret was rotated since, or it has lasted as long as the longest viewer token.
 */
export async function touchSession(
  em: EntityManager,
  session: { sessionId: string; secretVersion: number },
): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    `update playback_session s set last_seen_at = now()
     from video v, account a
     where s.id = ? and s.started_at > now() - interval '24 hours' and v.id = s.video_id and a.id = s.account_id and v.deleted_at is null
       and v.status in ('playable', 'ready') and a.signing_secret_version = ?
     returning 1`,
    [session.sessionId, session.secretVersion],
  )
  return rows.length > 0
}

/** What a manifest is made of; empty where the video is deleted or does not play. */
export async function findRenditions(em: EntityManager, videoId: string): Promise<Rendition[]> {
  return (await isPlaying(em, videoId)) ? em.find(Rendition, { videoId }) : []
}

/** How many renditions a manifest would have; their segments stay where they are. */
export async function countRenditions(em: EntityManager, videoId: string): Promise<number> {
  return (await isPlaying(em, videoId)) ? em.count(Rendition, { videoId }) : 0
}

const isPlaying = async (em: EntityManager, videoId: string): Promise<boolean> =>
  (await em.count(Video, {
    id: videoId,
    deletedAt: null,
    status: { $in: ['playable', 'ready'] },
  })) > 0

/** The content keys of a video, still sealed. */
export const findContentKeys = (em: EntityManager, videoId: string): Promise<ContentKey[]> =>
  em.find(ContentKey, { videoId })

/** Records that a session was given keys; false where there is no such session any more. */
export async function recordKeyGrant(em: EntityManager, sessionId: string): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    `update playback_session set key_grants = key_grants + 1, last_seen_at = now()
     where id = ? returning 1`,
    [sessionId],
  )
  return rows.length > 0
}

/** True where the poster of a video may be shown: it is there, and the video is not deleted. */
export const hasPoster = async (em: EntityManager, videoId: string): Promise<boolean> =>
  (await em.count(Video, { id: videoId, deletedAt: null, hasPoster: true })) > 0
