import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import type { Logger } from 'pino'
import { ensureSearchAttributes } from '../temporal/connect.ts'
import { createSchedules, ensureSchedules } from '../temporal/ensure-schedule.ts'

const EVERY_MS = 15_000
const RETRY_MS = 2_000
const DEADLINE_MS = 10_000

/**
 * Makes sure, now and every 15 seconds, that Temporal has the search attributes which starts name and
 * the Schedules: a server whose store was lost comes back without either.
 */
export function keepTemporalPrepared(client: Client, logger: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const keep = async (): Promise<void> => {
    // Once they are as this version wants them, a later look creates what is missing and no more.
    let schedule: (client: Client) => Promise<void> = ensureSchedules
    while (!stopping.signal.aborted) {
      const waitMs = await prepare(client, stopping.signal, schedule).then(
        () => {
          schedule = createSchedules
          return EVERY_MS
        },
        (error: unknown) => {
          logger.debug({ err: error }, 'Temporal is not prepared yet')
          return RETRY_MS
        },
      )
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const done = keep()
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }
}

const prepare = (
  client: Client,
  signal: AbortSignal,
  schedule: (client: Client) => Promise<void>,
): Promise<void> =>
  client.withAbortSignal(signal, () =>
    client.withDeadline(Date.now() + DEADLINE_MS, async () => {
      await ensureSearchAttributes(client)
      await schedule(client)
    }),
  )
