import { sql, type RawBuilder } from 'kysely'
import type { EntityManager } from '../database.ts'
import { findPage, sqlDirection, type Page, type PageRead, type PageRequest } from '../page.ts'
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

const isRevoked = sql`exists (select from revoked_viewer x
  where x.account_id = w.account_id and x.viewer_id = w.viewer_id) as "isRevoked"`

/** Lists the viewers of an account whose id begins with `prefix`, those that were counted last first. */
export const listViewers = (
  em: EntityManager,
  accountId: number,
  prefix: string | undefined,
  request: PageRequest<number>,
): Promise<Page<ViewerRow>> =>
  findPage(request, async (read) => {
    const named =
      prefix === undefined
        ? sql`true`
        : sql`starts_with(w.viewer_id, ${prefix}) and w.viewer_id ~>=~ ${prefix}`
    const { rows } = await sql<ViewerRow>`
      select ${WATCHED}, ${isRevoked} from viewer w
      where w.account_id = ${accountId} and ${named} and ${beyond(read)} ${ordered(read)}`.execute(
      queries(em).withoutPlugins(),
    )
    return rows
  })

/** The viewer with this id; null if none of the account was counted. */
export async function findViewer(
  em: EntityManager,
  accountId: number,
  viewerId: string,
): Promise<ViewerRow | null> {
  const { rows } = await sql<ViewerRow>`
    select ${WATCHED}, ${isRevoked} from viewer w
    where w.account_id = ${accountId} and w.viewer_id = ${viewerId}`.execute(
    queries(em).withoutPlugins(),
  )
  return rows[0] ?? null
}

/** Of what progress is listed: the viewers of a video, or the videos of a viewer. */
export type ProgressFilter = { videoId: string } | { viewerId: string }

/** Lists the progress of viewers in videos, what was counted last first. */
export const listProgress = (
  em: EntityManager,
  accountId: number,
  filter: ProgressFilter,
  request: PageRequest<number>,
): Promise<Page<ProgressRow>> =>
  findPage(request, async (read) => {
    const of =
      'videoId' in filter
        ? sql`w.video_id = ${filter.videoId}`
        : sql`w.viewer_id = ${filter.viewerId}`
    const { rows } = await sql<ProgressRow>`
      select ${WATCHED}, w.video_id as "videoId", v.title, v.duration_ms as "durationMs", w.position_ms as "positionMs",
        w.parts::text, w.completed_at as "completedAt"
      from viewer_progress w left join video v on v.id = w.video_id and v.account_id = w.account_id and v.deleted_at is null
      where w.account_id = ${accountId} and ${of} and ${beyond(read)} ${ordered(read)}`.execute(
      queries(em).withoutPlugins(),
    )
    return rows
  })
