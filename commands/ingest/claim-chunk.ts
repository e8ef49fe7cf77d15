import type { EntityManager } from '../../db/database.ts'
import { findClaims, isGrowingVideo } from '../../db/ingest/chunk-claims.ts'
import { findParts } from '../../db/ingest/growing-videos.ts'
import { findPlayheads } from '../../db/ingest/playheads.ts'
import { findRecordedChunks } from '../../db/ingest/rendition-chunks.ts'
import { insertClaim } from '../../db/ingest/write-growing-videos.ts'
import { isPublished } from '../../db/videos/renditions.ts'
import { chunkOfTicket } from '../../domain/encoding/next-chunk.ts'
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
  const { videoId, ticket, plan } = input
  return em.transactional(async (tx) => {
    await lockIngest(tx, videoId, ENCODING)
    const claims = await findClaims(tx, videoId)
    const recorded = await findRecorded(tx, input)
    const playheads = await playheadsOf(tx, input)
    const lost = takesLost ? await findLost(tx, input) : []
    const index = chunkOfTicket({ ticket, count: plan.count, claims, lost, recorded, playheads })
    if (index !== null && !claims.some((claim) => claim.ticket === ticket))
      await insertClaim(tx, videoId, { ticket, index })
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

/** The chunks of which both the picture and the audio that is encoded with it are recorded. */
async function findRecorded(
  em: EntityManager,
  { videoId, rungs, sound, plan: { count } }: EncodeNextChunkInput,
): Promise<number[]> {
  const names = [...rungs.slice(0, 1), ...(sound?.tracks ?? [])].map(({ name }) => name)
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
