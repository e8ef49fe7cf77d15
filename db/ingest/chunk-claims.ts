import type { Claim } from '../../domain/encoding/next-chunk.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** True if the video plays while it grows. */
export async function isGrowingVideo(em: EntityManager, videoId: string): Promise<boolean> {
  const row = await queries(em)
    .selectFrom('growing_film')
    .select('videoId')
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  return row !== undefined
}

/** The chunks of a video that activities have claimed. */
export const findClaims = (em: EntityManager, videoId: string): Promise<Claim[]> =>
  queries(em)
    .selectFrom('chunk_claim')
    .select(['ticket', 'index'])
    .where('videoId', '=', videoId)
    .execute()

/** The chunks of the other rungs, of `count`, that activities have claimed. */
export const findLaterClaims = (
  em: EntityManager,
  videoId: string,
  count: number,
): Promise<Claim[]> =>
  queries(em)
    .selectFrom('later_chunk_claim')
    .select(['ticket', 'index'])
    .where('videoId', '=', videoId)
    .where('count', '=', count)
    .execute()

/** True if a ticket still has its chunk: it loses one whose encoder was silent for too long. */
export const hasClaim = async (
  em: EntityManager,
  videoId: string,
  ticket: number,
): Promise<boolean> => (await findClaims(em, videoId)).some((claim) => claim.ticket === ticket)
