import { sql } from 'kysely'
import type { ErrorCode } from '../../domain/error-codes.ts'
import type { ImportState } from '../../domain/imports/video-import.ts'
import type { VideoErrorCode } from '../../domain/videos/video-failures.ts'
import type { EntityManager } from '../database.ts'
import type { VideoImport, VideoImportLine } from '../entities/video-import.ts'
import { asJson, countAffected, queries } from '../queries.ts'
import { isMadeFor } from './video-imports.ts'

export type NewImport = Pick<
  VideoImport,
  'accountId' | 'atOnce' | 'bucket' | 'sealedAccess' | 'requestId'
>

/** `facts` with all its properties. */
export type NewImportLine = Pick<VideoImportLine, 'sourceUrl' | 'externalId' | 'sha256' | 'facts'>

/** Inserts a running import with its lines, which are numbered from 1. */
export async function insertImport(
  em: EntityManager,
  { accountId, bucket, ...given }: NewImport,
  lines: NewImportLine[],
): Promise<VideoImport> {
  const inserted = await queries(em)
    .insertInto('video_import')
    .values({
      ...given,
      accountId,
      bucket: bucket && asJson(bucket),
      lineCount: lines.length,
      completedAt: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const rows = lines.map((line, index) => ({ number: index + 1, ...line }))
  await sql`insert into video_import_line (import_id, account_id, number, external_id, source_url, sha256, facts)
    select ${inserted.id}::bigint, ${accountId}::int, l.number, l."externalId", l."sourceUrl", l.sha256, l.facts
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as l (number int, "externalId" text, "sourceUrl" text, sha256 text, facts jsonb)`.execute(
    queries(em),
  )
  return inserted
}

/** Locks a line until the end of the transaction; false unless it waits and its import is running. */
export async function lockWaitingLine(
  em: EntityManager,
  { importId, number }: Pick<VideoImportLine, 'importId' | 'number'>,
): Promise<boolean> {
  const line = await queries(em)
    .selectFrom('video_import_line as l')
    .innerJoin('video_import as i', 'i.id', 'l.importId')
    .select('l.number')
    .where('l.importId', '=', importId)
    .where('l.number', '=', number)
    .where('l.state', '=', 'waiting')
    .where('i.state', '=', 'running')
    .forNoKeyUpdate('l')
    .executeTakeFirst()
  return line !== undefined
}

/** What becomes of a line that waits: its video is made, exists, or cannot be made. */
export type LineOutcome =
  | { state: 'started' | 'exists'; videoId: string }
  | { state: 'failed'; errorCode: ErrorCode | VideoErrorCode; errorMessage: string }

/** A settled line has neither link nor facts. */
const EMPTIED = { sourceUrl: '', facts: asJson({}) }

/** Settles a line that waits; it has neither link nor facts any more. Does nothing to other lines. */
export async function settleLine(
  em: EntityManager,
  { importId, number }: Pick<VideoImportLine, 'importId' | 'number'>,
  outcome: LineOutcome,
): Promise<void> {
  await queries(em)
    .updateTable('video_import_line')
    .set({ ...outcome, ...EMPTIED })
    .where('importId', '=', importId)
    .where('number', '=', number)
    .where('state', '=', 'waiting')
    .execute()
}

/** Settles the started lines of an import whose videos are ready, have failed or were deleted. Returns how many. */
export const settleStartedLines = (em: EntityManager, importId: number): Promise<number> =>
  countAffected(
    em,
    sql`update video_import_line l set
        state = case when v.deleted_at is null and v.status = 'ready' then 'ready' else 'failed' end,
        error_code = case when v.deleted_at is not null then 'video_not_found' else v.error_code end,
        error_message = case when v.deleted_at is not null then 'The video was deleted.' else v.error_message end
      from video v
      where l.import_id = ${importId}::bigint and l.state = 'started' and v.id = l.video_id
        and (v.deleted_at is not null or v.status in ('ready', 'failed'))`,
  )

/** Forgets what opens the bucket of an import. */
export async function forgetAccess(em: EntityManager, id: number): Promise<void> {
  await queries(em)
    .updateTable('video_import')
    .set({ sealedAccess: null })
    .where('id', '=', id)
    .where('sealedAccess', 'is not', null)
    .execute()
}

/** Ends a running import; lines that wait are cancelled with it. Does nothing if it has ended. */
export async function endImport(
  em: EntityManager,
  id: number,
  state: Exclude<ImportState, 'running'>,
): Promise<void> {
  const ended = await queries(em)
    .updateTable('video_import')
    .set({ state, completedAt: sql`now()` })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  if (!ended || state === 'completed') return
  await queries(em)
    .updateTable('video_import_line')
    .set({ state: 'cancelled', ...EMPTIED })
    .where('importId', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

/** Lets the line that has made a video follow to the one that is made again from it. */
export async function followRetry(
  em: EntityManager,
  videoId: string,
  retryVideoId: string,
): Promise<void> {
  await queries(em)
    .updateTable('video_import_line as l')
    .set({ retryVideoId })
    .where(isMadeFor(videoId))
    .execute()
}
