import { setTimeout as sleep } from 'node:timers/promises'
import { appendCommands } from '../../../outbox/append/append-command.ts'
import type { ChaosWorld } from './chaos-world.ts'

const EVERY_MS = 300
/** A wish that came while the attempt before it was still under way was not heard. */
const ASK_AGAIN_MS = 15_000

interface Waiting {
  id: number
  accountId: number
  attemptCount: number
}

/**
 * Asks for the next attempt of every delivery that waits for it, as an operator would, until it is
 * told to stop: the waits of the contract are up to two hours. One in `scheduledOneIn` deliveries
 * waits its first minute out.
 */
export function bringForward(
  { db }: ChaosWorld,
  scheduledOneIn: number,
): { stop(): Promise<void> } {
  const asked = new Map<string, number>()
  const stopping = new AbortController()
  const isDue = ({ id, attemptCount }: Waiting): boolean => {
    if (attemptCount === 1 && id % scheduledOneIn === 0) return false
    return Date.now() - (asked.get(`${id}/${attemptCount}`) ?? 0) > ASK_AGAIN_MS
  }
  const ask = async (): Promise<void> => {
    const rows = await db.em.fork().execute<Waiting[]>(
      `select id, account_id as "accountId", attempt_count as "attemptCount"
       from webhook_delivery
       where status = 'pending' and next_retry_at > now() + interval '1 second'`,
    )
    const due = rows.filter(isDue)
    await db.em.fork().transactional((tx) =>
      appendCommands(
        tx,
        due.map(({ id, accountId }) => ({
          command: 'retry-delivery',
          subjectId: String(id),
          accountId,
        })),
      ),
    )
    for (const { id, attemptCount } of due) asked.set(`${id}/${attemptCount}`, Date.now())
  }
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await ask()
      await sleep(EVERY_MS)
    }
  }
  const done = loop()
  done.catch(() => {})
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }
}
