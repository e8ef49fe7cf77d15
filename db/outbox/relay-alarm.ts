import type { EntityManager } from '@mikro-orm/postgresql'
import { RepeatingEntityManager } from '../repeating-entity-manager.ts'
import { OUTBOX_CHANNEL } from './workflow-requests.ts'

/** A process notifies the relays at most once in this time, however many transactions it commits. */
const QUIET_MS = 20

/** What notifies the relays, for each open database of the process. */
const alarms = new WeakMap<object, () => void>()

/**
 * Notifies the relays once the caller's transaction is committed, or now outside one: at once, or at most 20 ms later
 * together with other commits of the process. In the transaction itself a notification would take a lock of the whole server until
 * the commit is written, so that no two such commits could be written together (ADR 0057). A lost notification costs the
 * interval of a relay's polls, one second.
 */
export function ringAfterCommit(em: EntityManager): void {
  const driver = em.getDriver()
  const ring = alarms.get(driver) ?? createAlarm(em.fork())
  alarms.set(driver, ring)
  if (em instanceof RepeatingEntityManager) em.onCommit(ring)
  else ring()
}

function createAlarm(em: EntityManager): () => void {
  let timer: NodeJS.Timeout | null = null
  let quietUntil = 0
  const send = (): void => {
    timer = null
    quietUntil = performance.now() + QUIET_MS
    em.fork()
      .execute(`select pg_notify('${OUTBOX_CHANNEL}', '')`)
      .catch(() => {})
  }
  return () => {
    if (timer) return
    const waitMs = quietUntil - performance.now()
    if (waitMs <= 0) send()
    else timer = setTimeout(send, waitMs).unref()
  }
}
