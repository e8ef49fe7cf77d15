import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import { claimDueRequests } from '../db/workflow-requests.ts'
import { createDispatch } from './dispatch.ts'
import type { Dispatch } from './dispatch.ts'
import { listenToOutbox } from './listen-outbox.ts'
import { keepTemporalPrepared } from './prepare-temporal.ts'
import { createWake } from './wake.ts'
import type { Wake } from './wake.ts'

/** Behind the notifications: what they miss is found within a second. */
const POLL_MS = 1_000
/** Longer than a full batch takes where every command runs into its deadline. */
const LEASE_MS = 30_000
const CONCURRENCY = 16
const BATCH_ROWS = 64

export interface RelayOptions {
  db: Database
  /** For the connection that listens; pools do not keep one. */
  databaseUrl: string
  client: Client
  logger: Logger
  /** 1 s by default. */
  pollMs?: number
}

export interface Relay {
  /** Resolves when nothing of the relay runs any more; the client and the database stay open. */
  stop(): Promise<void>
}

/**
 * Turns committed outbox rows into workflow starts, signals and cancellations, until it is stopped.
 * It never throws: while PostgreSQL or Temporal is away, rows wait. Several may run at once, and
 * each may be killed at any line (`claimDueRequests` says why that loses nothing).
 */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { db, databaseUrl, client, logger, pollMs = POLL_MS } = options
  const stopping = new AbortController()
  const wake = createWake()
  const dispatch = createDispatch({
    db,
    client,
    logger,
    concurrency: CONCURRENCY,
    onRoom: () => {
      if (dispatch.size() < CONCURRENCY) wake.wake()
    },
  })
  const listener = listenToOutbox(databaseUrl, () => wake.wake(), logger)
  const upkeep = keepTemporalPrepared(client, logger)
  const loop = relayUntil(stopping.signal, { db, logger, wake, dispatch, pollMs })
  return {
    async stop() {
      stopping.abort()
      wake.wake()
      await Promise.all([loop, listener.stop(), upkeep.stop()])
      await dispatch.stop()
    },
  }
}

interface Loop {
  db: Database
  logger: Logger
  wake: Wake
  dispatch: Dispatch
  pollMs: number
}

async function relayUntil(
  signal: AbortSignal,
  { db, logger, wake, dispatch, pollMs }: Loop,
): Promise<void> {
  // Unlike `wake.wait`, not ended by notifications: nothing here may turn into a hot loop.
  const pause = () => sleep(POLL_MS, undefined, { signal }).catch(() => {})
  while (!signal.aborted) {
    if (!dispatch.isReachable() && dispatch.size() > 0) {
      await pause()
      continue
    }
    // While Temporal is away, one row at a time finds out when it is back.
    const limit = dispatch.isReachable() ? BATCH_ROWS : 1
    try {
      const claimed =
        dispatch.size() < CONCURRENCY ? await claimDueRequests(db.em.fork(), limit, LEASE_MS) : []
      dispatch.add(claimed)
      if (!dispatch.isReachable()) await pause()
      else if (claimed.length < limit) await wake.wait(pollMs)
    } catch (error) {
      logger.warn({ err: error }, 'the outbox cannot be read')
      await pause()
    }
  }
}
