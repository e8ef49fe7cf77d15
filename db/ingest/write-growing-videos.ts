import { sql } from 'kysely'
import type { Claim } from '../../domain/encoding/next-chunk.ts'
import type { VideoOutline } from '../../domain/playback/growing-video.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/**
 * Records how a video is encoded. Claims of another plan, by an earlier run of the ingest, are forgotten. Call it while
 * the video is locked.
 */
export async function putOutline(
  em: EntityManager,
  videoId: string,
  outline: VideoOutline,
): Promise<void> {
  const chunks = JSON.stringify(outline.chunks)
  const changed = await queries(em)
    .deleteFrom('growing_film')
    .where('videoId', '=', videoId)
    .where(sql<boolean>`outline -> 'chunks' is distinct from ${chunks}::jsonb`)
    .returning('videoId')
    .executeTakeFirst()
  if (changed) await forgetGrowingVideo(em, videoId)
  await queries(em)
    .insertInto('growing_film')
    .values({ videoId, outline })
    .onConflict((conflict) =>
      conflict.column('videoId').doUpdateSet((eb) => ({ outline: eb.ref('excluded.outline') })),
    )
    .execute()
}

/** Forgets how a video is encoded, and which of its chunks are claimed: it does not play while it grows. */
export async function forgetGrowingVideo(em: EntityManager, videoId: string): Promise<void> {
  await queries(em).deleteFrom('growing_film').where('videoId', '=', videoId).execute()
  await deleteClaims(em, videoId)
}

/** Forgets which chunks of a video are claimed, once its ingest has ended. */
export async function deleteClaims(em: EntityManager, videoId: string): Promise<void> {
  await queries(em).deleteFrom('chunk_claim').where('videoId', '=', videoId).execute()
  await queries(em).deleteFrom('later_chunk_claim').where('videoId', '=', videoId).execute()
}

/**
 * Records that an activity has claimed a chunk, which a lost one has claimed no longer. Call it while the video is locked, for
 * a ticket without a claim.
 */
export async function insertClaim(em: EntityManager, videoId: string, claim: Claim): Promise<void> {
  await queries(em)
    .deleteFrom('chunk_claim')
    .where('videoId', '=', videoId)
    .where('index', '=', claim.index)
    .execute()
  await queries(em)
    .insertInto('chunk_claim')
    .values({ videoId, ...claim })
    .execute()
}

/** Records that an activity has claimed a chunk of the other rungs, of `count`. Call it while the video is locked, for a ticket without a claim. */
export async function insertLaterClaim(
  em: EntityManager,
  videoId: string,
  claim: Claim & { count: number },
): Promise<void> {
  await queries(em)
    .insertInto('later_chunk_claim')
    .values({ videoId, ...claim })
    .execute()
}
