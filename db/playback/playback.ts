import type { Protection } from '../../domain/accounts/plan.ts'
import type { LicencePolicy } from '../../domain/drm/licence-policy.ts'
import type { PlayerSettings } from '../../domain/settings/player-settings.ts'
import { STORYBOARD, STORYBOARD_INDEX } from '../../domain/videos/media-paths.ts'
import { picturesOf } from '../../domain/videos/poster-pictures.ts'
import { inBatches } from '../batches.ts'
import type { Database, EntityManager } from '../database.ts'
import { Plan, type Account } from '../entities/account.ts'
import { Rendition, Video } from '../entities/video.ts'
import { runStatement } from '../queries.ts'
import { isRevokedSql } from './revoked-viewers.ts'

/** Everything that the embed page depends on. */
export interface PlaybackFacts {
  video: Pick<
    Video,
    | 'id'
    | 'accountId'
    | 'title'
    | 'status'
    | 'protection'
    | 'durationMs'
    | 'hasPoster'
    | 'posterVersion'
  > & {
    /** Of its poster; null if it has none. */
    posterPlaceholder: string | null
  }
  account: Pick<Account, 'id' | 'settings' | 'sealedSigningSecret' | 'signingSecretVersion'>
  /** How many renditions a manifest would list now. */
  renditions: number
  /** What licences allow; null unless the video is protected by Multi-DRM. */
  policy: LicencePolicy | null
  /** About the claimed viewer. Use it only after the token that claims the viewer is verified. */
  claimed: ClaimedViewer
}

/** What is recorded about the viewer id that a token claims. */
interface ClaimedViewer {
  isRevoked: boolean
  /** The viewer's last position in this video within 90 days; null if there is none. */
  positionMs: number | null
  /** The age of that position, at least; null if there is none. */
  positionAgeMs: number | null
}

interface Wanted {
  videoId: string
  accountId: number
  claimedViewerId: string | null
}

interface FactsRow extends ClaimedViewer {
  /** The position of its request in the batch, from 1. */
  place: number
  title: string
  status: Video['status']
  protection: Protection
  durationMs: number | null
  hasPoster: boolean
  posterVersion: number
  posterPlaceholder: string | null
  settings: PlayerSettings
  secret: string
  secretVersion: number
  renditions: number
  policy: LicencePolicy | null
}

/** Older sessions are counted in the progress of their viewer, with their position: they last a day, and an outage lasts some days. */
const COUNTED_WITHIN = `interval '7 days'`

// Raw and prepared: every embed page waits for it (see `runStatement`).
const FIND = {
  name: 'find-playback',
  text: `
    select w.place::int, v.title, v.status, v.protection, v.duration_ms as "durationMs",
      v.has_poster as "hasPoster", v.poster_version as "posterVersion",
      v.poster_placeholders ->> v.poster_name as "posterPlaceholder", a.settings, a.sealed_signing_secret as secret,
      a.signing_secret_version as "secretVersion",
      (select count(*)::int from rendition r where r.video_id = v.id) as renditions,
      (select json_build_object('hdNeedsHardware', x.hd_needs_hardware,
          'uhdNeedsHardware', x.uhd_needs_hardware, 'outputProtection', x.output_protection,
          'licenceSeconds', x.licence_seconds, 'renewalSeconds', x.renewal_seconds)
        from plan x where v.protection = 'multi-drm' and x.account_id = a.id) as policy,
      ${isRevokedSql('a.id', 'w.viewer_id')} as "isRevoked",
      p.position_ms as "positionMs",
      (extract(epoch from now() - p.last_seen_at) * 1000)::float8 as "positionAgeMs"
    from unnest($1::text[], $2::int[], $3::text[]) with ordinality
        as w (video_id, account_id, viewer_id, place)
      join video v on v.id = w.video_id and v.account_id = w.account_id and v.deleted_at is null
      join account a on a.id = v.account_id and a.deleted_at is null
      left join lateral (select u.position_ms, u.last_seen_at from (
          (select s.position_ms, s.last_seen_at from playback_record s
            where s.video_id = v.id and s.viewer_id = w.viewer_id and s.position_ms is not null
              and s.started_at > greatest(now() - ${COUNTED_WITHIN}, kept_since('playback_record'))
            order by s.started_at desc limit 1)
          union all
          (select g.position_ms, g.last_seen_at from viewer_progress g
            where g.account_id = a.id and g.viewer_id = w.viewer_id and g.video_id = v.id and g.position_ms is not null)) u
        where u.last_seen_at > now() - interval '90 days' order by u.last_seen_at desc limit 1) p on true`,
}

/** Low enough that a busy process shares its look-ups, high enough that a few pages do not wait. */
const AT_ONCE = 4

const finders = new WeakMap<Database, (wanted: Wanted) => Promise<PlaybackFacts | null>>()

/**
 * Finds the video and the account of an embed address, in one statement that simultaneous requests
 * share. Resolves to null when the video is not the account's, or it or the account is deleted. `claimedViewerId` need
 * not be verified yet (see `claimed`).
 */
export function findPlayback(
  db: Database,
  videoId: string,
  accountId: number,
  claimedViewerId: string | null,
): Promise<PlaybackFacts | null> {
  const find =
    finders.get(db) ??
    inBatches<Wanted, PlaybackFacts | null>((wanted) => findAll(db, wanted), AT_ONCE)
  finders.set(db, find)
  return find({ videoId, accountId, claimedViewerId })
}

async function findAll(db: Database, wanted: Wanted[]): Promise<(PlaybackFacts | null)[]> {
  const rows = await runStatement<FactsRow>(db, FIND, [
    wanted.map(({ videoId }) => videoId),
    wanted.map(({ accountId }) => accountId),
    wanted.map(({ claimedViewerId }) => claimedViewerId),
  ])
  const found: (PlaybackFacts | null)[] = wanted.map(() => null)
  for (const row of rows) {
    const asked = wanted[row.place - 1]
    if (asked) found[row.place - 1] = factsOf(asked, row)
  }
  return found
}

function factsOf({ videoId, accountId }: Wanted, row: FactsRow): PlaybackFacts {
  const { title, status, protection, durationMs, hasPoster, posterVersion } = row
  const { posterPlaceholder } = row
  const { settings, renditions, policy } = row
  const { secret, secretVersion, isRevoked, positionMs, positionAgeMs } = row
  return {
    video: {
      id: videoId,
      accountId,
      title,
      status,
      protection,
      durationMs,
      hasPoster,
      posterVersion,
      posterPlaceholder,
    },
    account: {
      id: accountId,
      settings,
      sealedSigningSecret: secret,
      signingSecretVersion: secretVersion,
    },
    renditions,
    policy,
    claimed: { isRevoked, positionMs, positionAgeMs },
  }
}

/** The renditions of a manifest; empty when the video is deleted or not playable. */
export async function findRenditions(em: EntityManager, videoId: string): Promise<Rendition[]> {
  return (await isPlaying(em, videoId)) ? em.find(Rendition, { videoId }) : []
}

const isPlaying = async (em: EntityManager, videoId: string): Promise<boolean> =>
  (await em.count(Video, {
    id: videoId,
    deletedAt: null,
    status: { $in: ['playable', 'ready'] },
  })) > 0

/** How a video is protected, which is fixed at its creation; null when it is deleted. */
export async function findProtection(
  em: EntityManager,
  videoId: string,
): Promise<Protection | null> {
  const video = await em.findOne(Video, { id: videoId, deletedAt: null })
  return video?.protection ?? null
}

/** What the licences of a video demand, by the plan of its account; null when it is deleted or has no plan. */
export async function findLicencePolicy(
  em: EntityManager,
  videoId: string,
): Promise<LicencePolicy | null> {
  const video = await em.findOne(Video, { id: videoId, deletedAt: null })
  return video && em.findOne(Plan, { accountId: video.accountId })
}

/** The name of the picture that is a video's poster; null when it has none or is deleted. */
export async function findPosterName(em: EntityManager, videoId: string): Promise<string | null> {
  const video = await em.findOne(Video, { id: videoId, deletedAt: null, hasPoster: true })
  return video && video.posterName
}

/** The size of a video's picture, and its poster; null when it is deleted. */
export async function findPicture(
  em: EntityManager,
  videoId: string,
): Promise<{
  /** Null until the video is ready. */
  size: { width: number; height: number } | null
  /** Null when it has none. */
  posterName: string | null
} | null> {
  const video = await em.findOne(Video, { id: videoId, deletedAt: null })
  if (!video) return null
  const { width, height, hasPoster, posterName } = video
  return {
    size: width && height ? { width, height } : null,
    posterName: hasPoster ? posterName : null,
  }
}

/** True when a video has a stored picture of this name to choose the poster from, and is not deleted. */
export async function hasPicture(
  em: EntityManager,
  videoId: string,
  storedName: string,
): Promise<boolean> {
  const video = await em.findOne(Video, { id: videoId, deletedAt: null })
  if (!video) return false
  if (storedName === STORYBOARD || storedName === STORYBOARD_INDEX) return video.hasStoryboard
  return picturesOf(video).some((one) => one.storedName === storedName)
}
