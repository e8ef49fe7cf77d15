import { sql } from 'kysely'
import type { FilmOutline } from '../../domain/playback/growing-film.ts'
import type { Claim } from '../../domain/encoding/next-chunk.ts'
import type { EntityManager } from '../database.ts'
import { LIFETIME } from '../playback/playback-sessions.ts'
import { queries } from '../queries.ts'

/**
 * Records how a video is encoded. Claims of another plan, by an earlier run of the ingest, are forgotten. Call it while
 * the video is locked.
 */
export async function putOutline(
  em: EntityManager,
  videoId: string,
  outline: FilmOutline,
): Promise<void> {
  const chunks = JSON.stringify(outline.chunks)
  const changed = await queries(em)
    .deleteFrom('growing_film')
    .where('videoId', '=', videoId)
    .where(sql<boolean>`outline -> 'chunks' is distinct from ${chunks}::jsonb`)
    .returning('videoId')
    .executeTakeFirst()
  if (changed) await forgetGrowingFilm(em, videoId)
  await queries(em)
    .insertInto('growing_film')
    .values({ videoId, outline })
    .onConflict((conflict) =>
      conflict.column('videoId').doUpdateSet((eb) => ({ outline: eb.ref('excluded.outline') })),
    )
    .execute()
}

/** Forgets how a video is encoded, and which of its chunks are claimed: it does not play while it grows. */
export async function forgetGrowingFilm(em: EntityManager, videoId: string): Promise<void> {
  await queries(em).deleteFrom('growing_film').where('videoId', '=', videoId).execute()
  await deleteClaims(em, videoId)
}

/** Forgets which chunks of a video are claimed, once its ingest has ended. */
export async function deleteClaims(em: EntityManager, videoId: string): Promise<void> {
  await queries(em).deleteFrom('chunk_claim').where('videoId', '=', videoId).execute()
}

/** True if the video plays while it grows. */
export async function isGrowingFilm(em: EntityManager, videoId: string): Promise<boolean> {
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

/** True if a ticket still has its chunk: it loses one whose encoder was silent for too long. */
export const hasClaim = async (
  em: EntityManager,
  videoId: string,
  ticket: number,
): Promise<boolean> => (await findClaims(em, videoId)).some((claim) => claim.ticket === ticket)

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

/** A crowd tells as much as all viewers do. */
const PLAYHEADS_MAX = 1_000

/**
 * The chunks that viewers of a video watch, each once, of those who began last. `startsMs` are the starts of the chunks.
 * A player reports its position every few seconds.
 */
export async function findPlayheads(
  em: EntityManager,
  videoId: string,
  startsMs: readonly number[],
): Promise<number[]> {
  const rows = await queries(em)
    .selectFrom((eb) =>
      eb
        .selectFrom('playback_session')
        .select('positionMs')
        .where('videoId', '=', videoId)
        .where(sql<boolean>`started_at > now() - ${sql.raw(LIFETIME)}`)
        .where('endedAt', 'is', null)
        .where(sql<boolean>`last_seen_at > now() - interval '30 seconds'`)
        .where('positionMs', 'is not', null)
        .orderBy('startedAt', 'desc')
        .limit(PLAYHEADS_MAX)
        .as('watching'),
    )
    .select(sql<number>`width_bucket(position_ms, ${[...startsMs]}::int[]) - 1`.as('index'))
    .distinct()
    .execute()
  return rows.map(({ index }) => index)
}
