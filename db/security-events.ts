import type { EntityManager } from './database.ts'
import { SecurityEvent } from './entities/event.ts'
import { byId, findPage, given, hasCursor } from './page.ts'
import type { Page, PageRequest } from './page.ts'

export interface SecurityEventFilter {
  accountId: number
  eventType?: string | undefined
  videoId?: string | undefined
  viewerId?: string | undefined
}

/** A page of the account's security events, newest first. Null where the cursor is none of them. */
export async function listSecurityEvents(
  em: EntityManager,
  filter: SecurityEventFilter,
  request: PageRequest<number>,
): Promise<Page<SecurityEvent> | null> {
  if (!(await hasCursor(em, SecurityEvent, filter.accountId, request))) return null
  return findPage(request, (read) => {
    const { where, orderBy } = byId(read)
    return em.find(SecurityEvent, { ...given(filter), ...where }, { orderBy, limit: read.limit })
  })
}
