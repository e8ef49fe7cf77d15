import { z } from 'zod'
import type { EntityManager } from '../../db/database.ts'
import { findPositionOf } from '../../db/videos/find-videos.ts'
import { VIDEO_SORTS, type VideoPosition, type VideoSort } from '../../db/videos/video-query.ts'
import { TITLE_MAX_LENGTH } from '../../domain/limits.ts'
import { ApiError } from '../../http/api-error.ts'
import { unknownCursor } from '../../http/list.ts'
import { text } from '../../http/text.ts'

const VIDEO_ID = /^[0-9a-f]{20}$/
const CURSOR_MAX_LENGTH = 4_000

/** Where a page begins: the id of a video, or a cursor of a response. */
export const videoCursor = z
  .string()
  .regex(/^[\w-]{20,}$/, 'must be a video id or a cursor of a list')
  .max(CURSOR_MAX_LENGTH)
  .meta({ example: '3f1c9a7be04d5628c1d0' })

export const videoSort = z.enum(Object.keys(VIDEO_SORTS) as [VideoSort, ...VideoSort[]])

/** A cursor contains the order, the value that it is sorted by and the id. Lower-case titles can be longer than titles. */
const content = z.tuple([
  videoSort,
  text({ maxLength: 3 * TITLE_MAX_LENGTH, mayBeEmpty: true }),
  z.string().regex(VIDEO_ID),
])

/** Microseconds since 1970. */
const TIME = /^\d{1,17}$/

/** The cursor of a place in a list. */
export const cursorOf = (sort: VideoSort, { value, id }: VideoPosition): string =>
  Buffer.from(JSON.stringify([sort, value, id])).toString('base64url')

interface CursorQuery {
  sort: VideoSort
  starting_after?: string | undefined
  ending_before?: string | undefined
}

/** Where a page begins that starts at the id of a video, in an order in which its place changes: nowhere, or where it is now. */
export type IdPlaces = 'refused' | 'current'

/**
 * The place that a parameter of the query names. Throws 422 `invalid_parameter` for the id of a video that never was the account's, or in an
 * order in which the place of a video changes unless these are `current`, and for a cursor of another order.
 */
export async function positionOf(
  em: EntityManager,
  accountId: number,
  query: CursorQuery,
  param: 'starting_after' | 'ending_before',
  changing: IdPlaces,
): Promise<VideoPosition | undefined> {
  const { sort, [param]: cursor } = query
  if (cursor === undefined) return undefined
  const refuse = (message: string) => new ApiError('invalid_parameter', { param, message })
  if (!VIDEO_ID.test(cursor)) {
    const position = readCursor(sort, cursor)
    if (!position) throw refuse(`\`${param}\` is no cursor of a list in the order \`${sort}\`.`)
    return position
  }
  if (VIDEO_SORTS[sort].column !== 'createdAt' && changing === 'refused')
    throw refuse(
      `\`${param}\` must be a cursor of a response, because videos change their places in the order \`${sort}\`.`,
    )
  // A video that was deleted since the last page still marks where the next page begins.
  const position = await findPositionOf(em, accountId, cursor, sort)
  if (!position) throw unknownCursor(query, 'video')
  return position
}

function readCursor(sort: VideoSort, cursor: string): VideoPosition | null {
  const parsed = content.safeParse(jsonOf(Buffer.from(cursor, 'base64url').toString('utf8')))
  if (!parsed.success) return null
  const [of, value, id] = parsed.data
  const isValue = VIDEO_SORTS[sort].column === 'searchTitle' || TIME.test(value)
  return of === sort && isValue ? { value, id } : null
}

function jsonOf(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return null
  }
}
