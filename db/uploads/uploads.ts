import { sql } from 'kysely'
import { PIECE_BYTES } from '../../domain/ingest/source-tail.ts'
import { OPEN_UPLOADS, UNUSED_UPLOADS } from '../../domain/uploads/upload.ts'
import { sourceKey } from '../../domain/videos/media-paths.ts'
import type { EntityManager } from '../database.ts'
import type { Upload } from '../entities/upload.ts'
import { findPage, type Page, type PageRequest } from '../page.ts'
import { queries } from '../queries.ts'

/** An upload, and how much of it is stored. */
export interface UploadDetails extends Upload {
  offsetBytes: number
  /** An open upload expires then, unless more bytes arrive. */
  expiresAt: Date
}

/** An upload without a video, of which something may still be stored. */
export interface EndedUpload {
  id: number
  videoId: string
  /** The object whose parts are stored; null if there is none. */
  objectId: string | null
}

/** What counts of a source that arrives: whole parts, and the tail behind them. */
const OFFSET = sql<number>`coalesce((select w.offset_bytes
  + coalesce((w.tail ->> 'pieces')::bigint * ${PIECE_BYTES}::int + (w.tail ->> 'begunBytes')::bigint, 0)
  from source_write w where w.video_id = u.video_id), case when u.status = 'complete' then u.size_bytes end, 0)::bigint`

/** When an upload that has not ended expires, by its last bytes. */
const OWN_END = sql`received_at + expires_in_seconds * interval '1 second'`

/** When an upload has ended, or its time is over. */
export const EXPIRES_AT = sql<Date>`coalesce(ended_at, ${OWN_END})`

/** Whether the time of an upload is over. */
export const IS_OVER = sql<boolean>`${OWN_END} < now()`

/** A query of uploads with their progress; `u` names their table. */
export const uploadDetails = (em: EntityManager) =>
  queries(em)
    .selectFrom('upload as u')
    .selectAll('u')
    .select([OFFSET.as('offsetBytes'), EXPIRES_AT.as('expiresAt')])

/** The account's upload, or null. */
export const findUpload = async (
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<UploadDetails | null> =>
  (await uploadDetails(em)
    .where('u.accountId', '=', accountId)
    .where('u.id', '=', id)
    .executeTakeFirst()) ?? null

/** A page of the account's uploads, newest first. */
export const listUploads = (
  em: EntityManager,
  accountId: number,
  request: PageRequest<number>,
): Promise<Page<UploadDetails>> =>
  findPage(request, ({ direction, cursor, limit }) => {
    const isOlder = direction === 'older'
    const page = uploadDetails(em)
      .where('u.accountId', '=', accountId)
      .orderBy('u.id', isOlder ? 'desc' : 'asc')
      .limit(limit)
    return (cursor === undefined ? page : page.where('u.id', isOlder ? '<' : '>', cursor)).execute()
  })

/** How many uploads of an account take bytes. */
export const countOpenUploads = async (em: EntityManager, accountId: number): Promise<number> => {
  const row = await queries(em)
    .selectFrom('upload')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where('status', 'in', OPEN_UPLOADS)
    .executeTakeFirst()
  return row?.count ?? 0
}

/** The ids of up to `limit` open uploads that have expired. */
export async function findExpiredUploads(em: EntityManager, limit: number): Promise<number[]> {
  const rows = await queries(em)
    .selectFrom('upload')
    .select('id')
    .where('status', 'in', OPEN_UPLOADS)
    .where(IS_OVER)
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Up to `limit` open uploads, by id after `after`, of which all bytes have been stored for longer than a request needs to complete them. */
export const findStoredUploads = (
  em: EntityManager,
  after: number,
  limit: number,
): Promise<UploadDetails[]> =>
  uploadDetails(em)
    .where('u.id', '>', after)
    .where('u.status', '=', 'uploading')
    .where(sql<boolean>`not ${IS_OVER}`)
    .where('u.receivedAt', '<', sql<Date>`now() - interval '1 minute'`)
    .where('u.sizeBytes', '=', OFFSET)
    .orderBy('u.id')
    .limit(limit)
    .execute()

/** Up to `limit` uploads that have ended without a video, and of which something may still be stored. */
export const findEndedUploads = (em: EntityManager, limit: number): Promise<EndedUpload[]> =>
  queries(em)
    .selectFrom('upload as u')
    .innerJoin('source_write as w', 'w.videoId', 'u.videoId')
    .select(['u.id', 'u.videoId', 'w.objectId'])
    .where('u.status', 'in', UNUSED_UPLOADS)
    .limit(limit)
    .execute()

/** The keys of the objects that open uploads write. */
export async function findOpenUploadKeys(em: EntityManager): Promise<Set<string>> {
  const rows = await queries(em)
    .selectFrom('upload')
    .select('videoId')
    .where('status', 'in', OPEN_UPLOADS)
    .execute()
  return new Set(rows.map(({ videoId }) => sourceKey(videoId)))
}

/** How many uploads of an account are open, or have objects. */
export async function countUndiscardedUploads(
  em: EntityManager,
  accountId: number,
): Promise<number> {
  const { count } = await queries(em)
    .selectFrom('upload as u')
    .leftJoin('source_write as w', 'w.videoId', 'u.videoId')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('u.accountId', '=', accountId)
    .where((eb) => eb.or([eb('u.endedAt', 'is', null), eb('w.videoId', 'is not', null)]))
    .executeTakeFirstOrThrow()
  return count
}

/** The open uploads of an account. */
export async function listOpenUploads(em: EntityManager, accountId: number): Promise<number[]> {
  const rows = await queries(em)
    .selectFrom('upload')
    .select('id')
    .where('accountId', '=', accountId)
    .where('endedAt', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}
