import { setTimeout as sleep } from 'node:timers/promises'
import { NativeConnection } from '@temporalio/worker'
import type { Logger } from 'pino'

const RETRY_MS = 1_000

/** Connects a worker. Waits until Temporal is reachable; meanwhile the outbox stores the work. */
export async function connectWorker(address: string, logger: Logger): Promise<NativeConnection> {
  for (;;) {
    try {
      return await NativeConnection.connect({ address })
    } catch (error) {
      logger.warn({ err: error }, 'Temporal cannot be reached yet')
      await sleep(RETRY_MS)
    }
  }
}
