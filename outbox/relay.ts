import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import { listenToOutbox } from '../db/outbox/listen-outbox.ts'
import { claimDueRequests } from '../db/outbox/write-workflow-requests.ts'
import { keepTemporalPrepared } from '../temporal/prepare-temporal.ts'
import { createDispatch, type Dispatch } from './dispatch.ts'
import { keepWatermark } from './event-watermark.ts'
import { followPlaces, type FollowedPlaces } from './follow-places.ts'

/** Interval of the polls that find rows whose notification was lost. */
const POLL_MS = 1_000
/** Longer than a full batch takes if every request runs into its deadline. */
const LEASE_MS = 30_000
const CONCURRENCY = 16
const BATCH_ROWS = 64

export interface RelayOptions {
  db: Database
  /** Of PostgreSQL itself, for the connection that listens. */
  databaseUrl: string
  client: Client
  /** That of deliveries; that of the client is the one of all other workflows. */
  deliveriesNamespace: string
  logger: Logger
  /** 1 s by default. */
  pollMs?: number
}

export interface Relay {
  /** Resolves when the relay has stopped; the client and the database stay open. */
  stop(): Promise<void>
}

/**
 * Turns committed rows of the outbox into workflow starts, signals and cancellations, until it is stopped.
 * Never throws: while PostgreSQL or Temporal is unreachable, the rows wait. Several relays may run at the same
 * time, and each may be killed at any line, because it claims rows by a lease (`claimDueRequests`). At most three of an installation are active; the others wait
 * for the place of one that ends (`listenToOutbox`).
 */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { db, databaseUrl, client, deliveriesNamespace, logger, pollMs = POLL_MS } = options
  const stopping = new AbortController()
  const alarm = createAlarm()
  const places = followPlaces(db, client, deliveriesNamespace)
  const dispatch = createDispatch({
    db,
    client,
    placesOf: () => places.current(),
    logger,
    concurrency: CONCURRENCY,
    onRoom: () => {
      if (dispatch.size() < CONCURRENCY) alarm.ring()
    },
  })
  const listener = listenToOutbox({ db, directUrl: databaseUrl }, () => alarm.ring(), logger)
  const preparation = keepTemporalPrepared(client, deliveriesNamespace, logger)
  const isActive = () => listener.isActive()
  const loop = relayUntil(stopping.signal, {
    db,
    places,
    logger,
    alarm,
    dispatch,
    isActive,
    pollMs,
  })
  const watermark = keepWatermark(stopping.signal, { db, logger, isActive })
  return {
    async stop() {
      stopping.abort()
      alarm.ring()
      await Promise.all([loop, watermark, listener.stop(), preparation.stop()])
      await dispatch.stop()
    },
  }
}

interface Loop {
  db: Database
  places: FollowedPlaces
  logger: Logger
  alarm: Alarm
  dispatch: Dispatch
  isActive: () => boolean
  pollMs: number
}

async function relayUntil(
  signal: AbortSignal,
  { db, places, logger, alarm, dispatch, isActive, pollMs }: Loop,
): Promise<void> {
  // Notifications do not end this pause, unlike `alarm.wait`, so failures cannot cause a hot loop.
  const pause = () => sleep(POLL_MS, undefined, { signal }).catch(() => {})
  while (!signal.aborted) {
    if (!isActive()) {
      await alarm.wait(pollMs)
      continue
    }
    if (!dispatch.isReachable() && dispatch.size() > 0) {
      await pause()
      continue
    }
    // While Temporal is unreachable, sends one request at a time until one is accepted.
    const limit = dispatch.isReachable() ? BATCH_ROWS : 1
    try {
      await places.refresh()
      const claimed =
        dispatch.size() < CONCURRENCY ? await claimDueRequests(db.em.fork(), limit, LEASE_MS) : []
      dispatch.add(claimed)
      if (!dispatch.isReachable()) await pause()
      else if (claimed.length < limit) await alarm.wait(pollMs)
    } catch (error) {
      logger.warn({ err: error }, 'the outbox cannot be read')
      await pause()
    }
  }
}

/** Lets a loop sleep until there is work. */
interface Alarm {
  /** Ends the current wait, or else the next one. Several calls between two waits count as one. */
  ring(): void
  /** Resolves after `ms` at the latest. */
  wait(ms: number): Promise<void>
}

function createAlarm(): Alarm {
  let hasRung = false
  let end: (() => void) | null = null
  return {
    ring() {
      hasRung = true
      end?.()
    },
    async wait(ms) {
      if (!hasRung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        end = resolve
        const timer = setTimeout(resolve, ms)
        await promise
        clearTimeout(timer)
        end = null
      }
      hasRung = false
    },
  }
}
