import { sql, type RawBuilder } from 'kysely'
import type { EntityManager } from '../database.ts'
import { findPage, sqlDirection, type Page, type PageRead, type PageRequest } from '../page.ts'
import { isRevokedSql } from '../playback/revoked-viewers.ts'
import { queries } from '../queries.ts'

/** A viewer of the account. */
export interface ViewerRow {
  /** The order in which viewers were first counted. */
  id: number
  viewerId: string
  plays: number
  watchedMs: number
  firstSeenAt: Date
  lastSeenAt: Date
  isRevoked: boolean
}

/** How far a viewer is in a video. */
export interface ProgressRow extends Omit<ViewerRow, 'isRevoked'> {
  videoId: string
  /** Null if the video is deleted. */
  title: string | null
  durationMs: number | null
  positionMs: number | null
  /** As 100 characters. */
  parts: string | null
  completedAt: Date | null
}

const WATCHED =
  sql.raw(`w.id::float8 as id, w.viewer_id as "viewerId", w.plays, w.watched_ms::float8 as "watchedMs",
  w.first_seen_at as "firstSeenAt", w.last_seen_at as "lastSeenAt"`)

const beyond = ({ direction, cursor }: PageRead<number>): RawBuilder<unknown> =>
  cursor === undefined ? sql`true` : sql`w.id ${sqlDirection(direction).beyond} ${cursor}::bigint`

const ordered = ({ direction, limit }: PageRead<number>): RawBuilder<unknown> =>
  sql`order by w.id ${sql.raw(sqlDirection(direction).order)} limit ${limit}`

const isRevoked = sql.raw(`${isRevokedSql('w.account_id', 'w.viewer_id')} as "isRevoked"`)

/** No text has one after it. */
const LAST_CHARACTER = '\u{10FFFF}'

/** Which viewers are listed. Absent parts admit every viewer. */
export interface ViewerFilter {
  viewerId?: string | undefined
  prefix?: string | undefined
}

/** Lists viewers of an account, those that were counted last first. */
export const listViewers = (
  em: EntityManager,
  accountId: number,
  { viewerId, prefix }: ViewerFilter,
  request: PageRequest<number>,
): Promise<Page<ViewerRow>> =>
  findPage(request, async (read) => {
    const conditions = [
      sql`w.account_id = ${accountId}`,
      beyond(read),
      ...(viewerId === undefined ? [] : [sql`w.viewer_id = ${viewerId}`]),
      // The bounds are for the index, which compares bytes.
      ...(prefix === undefined
        ? []
        : [
            sql`starts_with(w.viewer_id, ${prefix}) and w.viewer_id ~>=~ ${prefix}
              and w.viewer_id ~<~ ${prefix + LAST_CHARACTER}`,
          ]),
    ]
    const { rows } = await sql<ViewerRow>`
      select ${WATCHED}, ${isRevoked} from viewer w
      where ${sql.join(conditions, sql` and `)} ${ordered(read)}`.execute(
      queries(em).withoutPlugins(),
    )
    return rows
  })

/** Of which viewer and which video progress is listed. Absent parts admit all. */
export interface ProgressFilter {
  viewerId?: string | undefined
  videoId?: string | undefined
}

/** Lists the progress of viewers in videos, what was counted last first. */
export const listProgress = (
  em: EntityManager,
  accountId: number,
  { viewerId, videoId }: ProgressFilter,
  request: PageRequest<number>,
): Promise<Page<ProgressRow>> =>
  findPage(request, async (read) => {
    const conditions = [
      sql`w.account_id = ${accountId}`,
      beyond(read),
      ...(viewerId === undefined ? [] : [sql`w.viewer_id = ${viewerId}`]),
      ...(videoId === undefined ? [] : [sql`w.video_id = ${videoId}`]),
    ]
    const { rows } = await sql<ProgressRow>`
      select ${WATCHED}, w.video_id as "videoId", v.title, v.duration_ms as "durationMs", w.position_ms as "positionMs",
        w.parts::text, w.completed_at as "completedAt"
      from viewer_progress w left join video v on v.id = w.video_id and v.account_id = w.account_id and v.deleted_at is null
      where ${sql.join(conditions, sql` and `)} ${ordered(read)}`.execute(
      queries(em).withoutPlugins(),
    )
    return rows
  })
