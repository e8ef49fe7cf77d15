import { sql, type RawBuilder } from 'kysely'
import type { ImportLineState } from '../../domain/imports/video-import.ts'
import type { EntityManager } from '../database.ts'
import type { VideoImport, VideoImportLine } from '../entities/video-import.ts'
import { findPage, type Page, type PageRequest } from '../page.ts'
import { exactlyOne, queries } from '../queries.ts'

/** An import, and how many of its lines have each state; states that none has are missing. */
export interface ImportDetails {
  import: VideoImport
  counts: Partial<Record<ImportLineState, number>>
}

/** The account's import, or null. */
export async function findImport(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<ImportDetails | null> {
  const found = await importsOf(em, accountId).where('id', '=', id).executeTakeFirst()
  return found ? exactlyOne(await withCounts(em, [found])) : null
}

/** A page of the account's imports, newest first. */
export async function listImports(
  em: EntityManager,
  accountId: number,
  request: PageRequest<number>,
): Promise<Page<ImportDetails>> {
  const page = await findPage(request, ({ direction, cursor, limit }) => {
    const isOlder = direction === 'older'
    const imports = importsOf(em, accountId)
      .orderBy('id', isOlder ? 'desc' : 'asc')
      .limit(limit)
    return (
      cursor === undefined ? imports : imports.where('id', isOlder ? '<' : '>', cursor)
    ).execute()
  })
  return { ...page, rows: await withCounts(em, page.rows) }
}

/** A page of the lines of an import in their order; `older` lines are those with higher numbers. */
export const listImportLines = (
  em: EntityManager,
  { id, state }: { id: number; state?: ImportLineState | undefined },
  request: PageRequest<number>,
): Promise<Page<VideoImportLine>> =>
  findPage(request, ({ direction, cursor, limit }) => {
    const isLater = direction === 'older'
    let lines = queries(em)
      .selectFrom('video_import_line')
      .selectAll()
      .where('importId', '=', id)
      .orderBy('number', isLater ? 'asc' : 'desc')
      .limit(limit)
    if (state !== undefined) lines = lines.where('state', '=', state)
    if (cursor !== undefined)
      lines = lines.where('number', isLater ? '>' : '<', sql<number>`${cursor}::bigint`)
    return lines.execute()
  })

/** How many imports of an account are running. */
export async function countRunningImports(em: EntityManager, accountId: number): Promise<number> {
  const { count } = await importsOf(em, accountId)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'running')
    .executeTakeFirstOrThrow()
  return count
}

/** How many lines the imports have that an account has begun within a day. */
export async function countLinesOfDay(em: EntityManager, accountId: number): Promise<number> {
  const { count } = await importsOf(em, accountId)
    .clearSelect()
    .select(({ fn }) => fn.coalesce(fn.sum<string>('lineCount'), sql`0`).as('count'))
    .where('createdAt', '>', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** What a source of an import is read with. */
export type ImportAccess = Pick<VideoImport, 'accountId' | 'bucket' | 'sealedAccess'>

/** The lines that a running import may start now. */
export interface NextLines {
  access: ImportAccess
  lines: VideoImportLine[]
}

/** Finds the next waiting lines of an import, as many as may join those that are started; null if it is not running. */
export async function findNextLines(em: EntityManager, id: number): Promise<NextLines | null> {
  const running = await queries(em)
    .selectFrom('video_import')
    .select(['accountId', 'atOnce', 'bucket', 'sealedAccess'])
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  if (!running) return null
  const { started } = await countOpenLines(em, id)
  const lines = await queries(em)
    .selectFrom('video_import_line')
    .selectAll()
    .where('importId', '=', id)
    .where('state', '=', 'waiting')
    .orderBy('number')
    .limit(Math.max(0, running.atOnce - started))
    .execute()
  const { atOnce: _, ...access } = running
  return { access, lines }
}

/** How many lines of an import wait, and how many are started. */
export async function countOpenLines(
  em: EntityManager,
  id: number,
): Promise<{ waiting: number; started: number }> {
  const rows = await queries(em)
    .selectFrom('video_import_line')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .where('importId', '=', id)
    .where('state', 'in', ['waiting', 'started'])
    .groupBy('state')
    .execute()
  const counts = new Map(rows.map(({ state, count }) => [state, count]))
  return { waiting: counts.get('waiting') ?? 0, started: counts.get('started') ?? 0 }
}

/** Returns the condition that a line `l` has made a video, or the one that it was made again from. */
export const isMadeFor = (videoId: string): RawBuilder<boolean> =>
  sql<boolean>`(l.video_id = ${videoId} and l.state <> 'exists' or l.retry_video_id = ${videoId})`

/** What an import says of the source of a video; null if none has made it, or the one that it was made again from. */
export const findImportOf = async (
  em: EntityManager,
  videoId: string,
): Promise<(Pick<VideoImportLine, 'sha256'> & ImportAccess) | null> =>
  (await queries(em)
    .selectFrom('video_import_line as l')
    .innerJoin('video_import as i', 'i.id', 'l.importId')
    .select(['l.sha256', 'i.accountId', 'i.bucket', 'i.sealedAccess'])
    .where(isMadeFor(videoId))
    .executeTakeFirst()) ?? null

const importsOf = (em: EntityManager, accountId: number) =>
  queries(em).selectFrom('video_import').selectAll().where('accountId', '=', accountId)

async function withCounts(em: EntityManager, imports: VideoImport[]): Promise<ImportDetails[]> {
  if (imports.length === 0) return []
  const rows = await queries(em)
    .selectFrom('video_import_line')
    .select(({ fn }) => ['importId', 'state', fn.countAll<number>().as('count')])
    .where(
      'importId',
      'in',
      imports.map(({ id }) => id),
    )
    .groupBy(['importId', 'state'])
    .execute()
  return imports.map((one) => ({
    import: one,
    counts: Object.fromEntries(
      rows.filter(({ importId }) => importId === one.id).map(({ state, count }) => [state, count]),
    ),
  }))
}
