import type { EntityManager } from './database.ts'
import { SecurityEvent } from './entities/event.ts'
import { byId, findPage, given } from './page.ts'
import type { Page, PageRequest } from './page.ts'

export interface SecurityEventFilter {
  accountId: number
  eventType?: string | undefined
  videoId?: string | undefined
  viewerId?: string | undefined
}

/** A page of the account's security events, newest first. */
export const listSecurityEvents = (
  em: EntityManager,
  filter: SecurityEventFilter,
  request: PageRequest<number>,
): Promise<Page<SecurityEvent>> =>
  findPage(request, (read) => {
    const { where, orderBy } = byId(read)
    return em.find(SecurityEvent, { ...given(filter), ...where }, { orderBy, limit: read.limit })
  })
