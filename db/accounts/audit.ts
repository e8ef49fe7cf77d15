import type { ActorKind } from '../../domain/accounts/audit.ts'
import type { EntityManager } from '../database.ts'
import { AuditEntry } from '../entities/member.ts'
import { byId, findPage, given, type Page, type PageRequest } from '../page.ts'

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

/** A page of the account's audit log, newest first. */
export function listAuditEntries(
  em: EntityManager,
  filter: AuditFilter,
  { since, until }: AuditRange,
  request: PageRequest<number>,
): Promise<Page<AuditEntry>> {
  return findPage(request, (read) => {
    const { where, orderBy } = byId(read)
    const createdAt = given({ $gte: since, $lt: until })
    const matching = { ...given(filter), createdAt, ...where }
    return em.find(AuditEntry, matching, { orderBy, limit: read.limit })
  })
}
