import { requestOf, type EntityManager } from '../../db/database.ts'
import { exactlyOne } from '../../db/queries.ts'
import { insertEventRows, type NewSecurityEvent } from './write-event-rows.ts'

/** Records a security event and announces it as `security.event`, in one transaction; returns its id. */
export async function recordSecurityEvent(
  em: EntityManager,
  newEvent: NewSecurityEvent,
): Promise<number> {
  const event = { ...newEvent, requestId: requestOf(em) }
  const ids = await em.transactional((tx) => insertEventRows(tx, [{ event, count: 1 }]))
  return exactlyOne(ids)
}
