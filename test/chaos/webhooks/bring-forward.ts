import { setTimeout as sleep } from 'node:timers/promises'
import { requestWorkflows } from '../../../db/outbox/write-workflow-requests.ts'
import type { ChaosFixture } from './chaos-fixture.ts'

const EVERY_MS = 300
/** A retry that is requested during an attempt has no effect, so it is requested again. */
const REQUEST_AGAIN_MS = 15_000
const MANUAL_ONE_IN = 3

interface Waiting {
  id: number
  accountId: number
  attemptCount: number
}

/**
 * Makes every delivery that waits for its next scheduled attempt due and wakes its workflow, until
 * `stop` is called, because the waits of the contract are up to two hours. One in three deliveries is
 * first retried manually, which does not change its schedule. One in `scheduledOneIn` waits for the
 * whole first minute.
 */
export function bringForward(
  { db }: Pick<ChaosFixture, 'db'>,
  scheduledOneIn: number,
): { stop(): Promise<void> } {
  const requestedAtMs = new Map<string, number>()
  const stopping = new AbortController()
  const isDue = ({ id, attemptCount }: Waiting): boolean => {
    if (attemptCount === 1 && id % scheduledOneIn === 0) return false
    return Date.now() - (requestedAtMs.get(`${id}/${attemptCount}`) ?? 0) > REQUEST_AGAIN_MS
  }
  const isManual = ({ id, attemptCount }: Waiting): boolean =>
    attemptCount === 1 && id % MANUAL_ONE_IN === 0
  const retryDue = async (): Promise<void> => {
    const rows = await db.em.fork().execute<Waiting[]>(
      `select id, account_id as "accountId", attempt_count as "attemptCount"
       from webhook_delivery where status = 'pending' and next_retry_at is not null`,
    )
    const due = rows.filter(isDue)
    await db.em.fork().transactional(async (tx) => {
      for (const { id, attemptCount } of due.filter((row) => !isManual(row)))
        await tx.execute(
          `update webhook_delivery set next_retry_at = now()
           where id = ? and attempt_count = ? and status = 'pending'`,
          [id, attemptCount],
        )
      await requestWorkflows(
        tx,
        due.map(({ id, accountId }) => ({
          command: 'retry-delivery',
          subjectId: String(id),
          accountId,
        })),
      )
    })
    for (const { id, attemptCount } of due) requestedAtMs.set(`${id}/${attemptCount}`, Date.now())
  }
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // The database may be away at the moment; a delivery that stays behind is judged as stuck.
      await retryDue().catch(() => {})
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
