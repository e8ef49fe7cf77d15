import { sql } from 'kysely'
import type { ActorKind } from '../../domain/accounts/audit.ts'
import { AUDIT_PAGE_MAX_BYTES } from '../../domain/limits.ts'
import type { EntityManager } from '../database.ts'
import { AuditEntry } from '../entities/member.ts'
import {
  boundPage,
  findPage,
  given,
  sqlDirection,
  type Page,
  type PageRead,
  type PageRequest,
} from '../page.ts'
import { queries } from '../queries.ts'

export interface AuditFilter {
  accountId: number
  action?: string | undefined
  subject?: string | undefined
  actorKind?: ActorKind | undefined
  actorId?: number | undefined
}

/** The time of the entries: from `since`, and before `until`. */
export interface AuditRange {
  since?: Date | undefined
  until?: Date | undefined
}

/**
 * A page of the account's audit log, newest first. It ends earlier if its entries are long: those of earlier releases
 * can have a megabyte each, and all of a page are in memory at once.
 */
export async function listAuditEntries(
  em: EntityManager,
  filter: AuditFilter,
  range: AuditRange,
  request: PageRequest<number>,
): Promise<Page<AuditEntry>> {
  const found = await findPage(request, (read) => findSizes(em, filter, range, read))
  const page = boundPage(found, request, AUDIT_PAGE_MAX_BYTES, ({ bytes }) => bytes)
  const ids = page.rows.map(({ id }) => id)
  const rows = await em.find(AuditEntry, { id: { $in: ids } }, { orderBy: { id: 'desc' } })
  return { rows, hasMore: page.hasMore }
}

/** The ids of entries, and how many bytes their states have. */
function findSizes(
  em: EntityManager,
  filter: AuditFilter,
  { since, until }: AuditRange,
  { direction, cursor, limit }: PageRead<number>,
): Promise<{ id: number; bytes: number }[]> {
  const { beyond, order } = sqlDirection(direction)
  let query = queries(em)
    .selectFrom('audit_entry')
    .select([
      'id',
      sql<number>`coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0)`.as(
        'bytes',
      ),
    ])
    .where((eb) => eb.and(given(filter)))
  if (since !== undefined) query = query.where('createdAt', '>=', since)
  if (until !== undefined) query = query.where('createdAt', '<', until)
  if (cursor !== undefined) query = query.where(sql<boolean>`id ${beyond} ${cursor}`)
  return query.orderBy('id', order).limit(limit).execute()
}
