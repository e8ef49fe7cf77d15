import { sql } from 'kysely'
import { OPEN_UPLOADS, UNUSED_UPLOADS } from '../../domain/uploads/upload.ts'
import type { EntityManager } from '../database.ts'
import { exactlyOne, queries } from '../queries.ts'
import { EXPIRES_AT, IS_OVER, uploadDetails } from './uploads.ts'

/** What the uploads of all accounts hold. */
export interface UploadBacklog {
  /** Uploads that take bytes, counted up to `COUNTED_MAX`. */
  open: number
  /** How many bytes of them are stored. */
  openBytes: number
  /** How long the first upload without a video is over of which something is stored; 0 if there is none. */
  unremovedSeconds: number
}

/** Bounds the time of a count. */
const COUNTED_MAX = 10_001

/** Reads what uploads hold, by the index of those that have not ended and the sources that are written. */
export async function readUploadBacklog(em: EntityManager): Promise<UploadBacklog> {
  const open = uploadDetails(em)
    .where('u.status', 'in', OPEN_UPLOADS)
    .where(sql<boolean>`not ${IS_OVER}`)
    .limit(COUNTED_MAX)
  const unremoved = queries(em)
    .selectFrom('upload')
    .select(sql<Date>`min(${EXPIRES_AT})`.as('since'))
    .where((eb) =>
      eb.or([
        eb.and([eb('status', 'in', OPEN_UPLOADS), IS_OVER]),
        eb.and([
          eb('status', 'in', UNUSED_UPLOADS),
          eb('videoId', 'in', eb.selectFrom('source_write').select('videoId')),
        ]),
      ]),
    )
  const { rows } = await sql<UploadBacklog>`
    select count(*)::int as open, coalesce(sum(o.offset_bytes), 0)::float8 as open_bytes,
      coalesce(greatest(0, extract(epoch from now() - (select since from ${unremoved.as('r')})))::float8, 0)
        as unremoved_seconds
    from ${open.as('o')}`.execute(queries(em))
  return exactlyOne(rows)
}
