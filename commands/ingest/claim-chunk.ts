import type { EntityManager } from '../../db/database.ts'
import { findClaims, findLaterClaims, isGrowingVideo } from '../../db/ingest/chunk-claims.ts'
import { findParts } from '../../db/ingest/growing-videos.ts'
import { findPlayheads } from '../../db/ingest/playheads.ts'
import { findRecordedChunks } from '../../db/ingest/rendition-chunks.ts'
import { insertClaim, insertLaterClaim } from '../../db/ingest/write-growing-videos.ts'
import { isPublished } from '../../db/videos/renditions.ts'
import { chunkOfTicket, laterChunkOfTicket } from '../../domain/encoding/next-chunk.ts'
import { HEARTBEAT_TIMEOUT_MS, type EncodeNextChunkInput } from '../../domain/ingest/ingest.ts'
import { ENCODING, lockIngest } from './lock-ingest.ts'

/**
 * Claims a chunk for the ticket of an activity, in one transaction, and returns its index; null if none is left. A
 * ticket keeps its chunk, unless its encoder is lost: with `takesLost` another ticket takes it, and this one gets another.
 * The lock of the video keeps two claims apart, also for a video that does not play while it grows. Refuses with
 * `video_gone` after the end of the ingest.
 */
export function claimChunk(
  em: EntityManager,
  input: EncodeNextChunkInput,
  { takesLost = false } = {},
): Promise<number | null> {
  const { videoId, ticket, plan, rungs, sound } = input
  return em.transactional(async (tx) => {
    await lockIngest(tx, videoId, ENCODING)
    const claims = await findClaims(tx, videoId)
    const names = [...rungs.slice(0, 1), ...(sound?.tracks ?? [])].map(({ name }) => name)
    const recorded = await findRecorded(tx, input, names)
    const playheads = await playheadsOf(tx, input)
    const lost = takesLost ? await findLost(tx, input) : []
    const index = chunkOfTicket({ ticket, count: plan.count, claims, lost, recorded, playheads })
    if (index !== null && !claims.some((claim) => claim.ticket === ticket))
      await insertClaim(tx, videoId, { ticket, index })
    return index
  })
}

/**
 * Claims a chunk of the other rungs in the same way; a ticket keeps its chunk whatever happens. `hasRead` says of a chunk whether
 * this machine has its source (ADR 0076). Refuses with `video_gone` after the end of the ingest.
 */
export function claimLaterChunk(
  em: EntityManager,
  input: EncodeNextChunkInput,
  hasRead: (index: number) => boolean,
): Promise<number | null> {
  const { videoId, ticket, plan, rungs } = input
  const { count } = plan
  return em.transactional(async (tx) => {
    await lockIngest(tx, videoId, ENCODING)
    const claims = await findLaterClaims(tx, videoId, count)
    const names = rungs.map(({ name }) => name)
    const recorded = await findRecorded(tx, input, names)
    const index = laterChunkOfTicket({ ticket, count, claims, recorded, hasRead })
    if (index !== null && !claims.some((claim) => claim.ticket === ticket))
      await insertLaterClaim(tx, videoId, { count, ticket, index })
    return index
  })
}

/** The chunks whose encoders are silent for as long as Temporal waits for a worker. */
async function findLost(
  em: EntityManager,
  { videoId, rungs }: EncodeNextChunkInput,
): Promise<number[]> {
  const parts = await findParts(em, videoId, [rungs[0]?.name ?? ''])
  return parts.flatMap(({ name, index, fraction, silentMs }) =>
    name !== '' && fraction !== 1 && silentMs > HEARTBEAT_TIMEOUT_MS ? [index] : [],
  )
}

/** The chunks that are recorded of all these renditions. */
async function findRecorded(
  em: EntityManager,
  { videoId, plan: { count } }: EncodeNextChunkInput,
  names: readonly string[],
): Promise<number[]> {
  let recorded = Array.from({ length: count }, (_, index) => index)
  for (const name of names) {
    if (await isPublished(em, videoId, name)) continue
    const own = new Set(await findRecordedChunks(em, { videoId, name, count }))
    recorded = recorded.filter((index) => own.has(index))
  }
  return recorded
}

/** The chunks that viewers watch; null for a video that does not play while it grows. */
const playheadsOf = async (
  em: EntityManager,
  { videoId }: EncodeNextChunkInput,
): Promise<number[] | null> =>
  (await isGrowingVideo(em, videoId)) ? findPlayheads(em, videoId) : null
