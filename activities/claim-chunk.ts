import type { EntityManager } from '../db/database.ts'
import { findClaims, findPlayheads, insertClaim, isGrowingFilm } from '../db/growing-film-rows.ts'
import { findRecordedChunks } from '../db/rendition-chunks.ts'
import { lockVideoIn } from '../db/videos.ts'
import { chunkOf } from '../domain/chunks.ts'
import type { EncodeNextChunkInput } from '../domain/ingest.ts'
import { chunkOfTicket } from '../domain/next-chunk.ts'
import { framesPerSecond } from '../domain/rendition.ts'
import type { ActivityDeps } from './deps.ts'
import { videoGone } from './ingest-step.ts'

/**
 * Claims a chunk for the ticket of an activity, in one transaction, and returns its index; null if none is left. A
 * ticket keeps its chunk. The lock of the video keeps two claims apart, also for a film that does not play while it
 * grows, and lets none be made after the end of the ingest.
 */
export function claimChunk(
  { db }: Pick<ActivityDeps, 'db'>,
  input: EncodeNextChunkInput,
): Promise<number | null> {
  const { videoId, ticket, rungs, plan } = input
  return db.em.fork().transactional(async (em) => {
    if ((await lockVideoIn(em, videoId, ['processing', 'playable'])) === null) throw videoGone()
    const claims = await findClaims(em, videoId)
    const planned = { videoId, name: rungs[0]?.name ?? '', count: plan.count }
    const recorded = await findRecordedChunks(em, planned)
    const playheads = await playheadsOf(em, input)
    const index = chunkOfTicket({ ticket, count: plan.count, claims, recorded, playheads })
    if (index !== null && !claims.some((claim) => claim.ticket === ticket))
      await insertClaim(em, videoId, { ticket, index })
    return index
  })
}

/** The chunks that viewers watch; null for a film that does not play while it grows. */
async function playheadsOf(
  em: EntityManager,
  { videoId, picture, plan }: EncodeNextChunkInput,
): Promise<number[] | null> {
  if (!(await isGrowingFilm(em, videoId))) return null
  const { frameRate } = picture.video
  const startsMs = Array.from({ length: plan.count }, (_, index) =>
    Math.floor((chunkOf(plan, frameRate, index).startFrame * 1000) / framesPerSecond(frameRate)),
  )
  return findPlayheads(em, videoId, startsMs)
}
