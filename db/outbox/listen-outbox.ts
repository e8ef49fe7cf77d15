import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { cutOffWhenLate } from '../deadlines.ts'
import { OUTBOX_CHANNEL } from './workflow-requests.ts'

const RECONNECT_MS = 1_000
const CONNECT_TIMEOUT_MS = 5_000
/** The interval and the deadline of the check that the connection is alive; nothing else is sent on it. */
const PROBE_EVERY_MS = 5_000
const PROBE_RESPONSE_MS = 5_000

/** So many relays of an installation are active. More would only compete for the same rows. */
const ACTIVE_RELAYS_MAX = 3
/** How often a relay without a place asks for one. */
const PLACE_EVERY_MS = 2_000
/** PostgreSQL ends a connection that sends nothing for so long: a process that hangs or a machine that is gone keeps no place. */
const SILENT_MAX_MS = 20_000
/** The class of the advisory locks of the places (ADR 0057). */
const PLACE_LOCKS = 735_001

export interface OutboxListener {
  /** True while this process has one of the places of active relays. */
  isActive(): boolean
  stop(): Promise<void>
}

/**
 * Takes one of the places of active relays as soon as one is free, and keeps it until it is stopped or the connection is lost.
 * Meanwhile calls `onWake` at each notification of committed requests, and when it has got its place, because notifications are
 * lost before. Reconnects until it is stopped. The place is a lock of this one connection, so it must not come from a pool.
 */
export function listenToOutbox(
  databaseUrl: string,
  onWake: () => void,
  logger: Logger,
): OutboxListener {
  const stopping = new AbortController()
  const { signal } = stopping
  const place = { isTaken: false }
  const keepListening = async (): Promise<void> => {
    while (!signal.aborted) {
      await listenOnce(databaseUrl, { place, onWake, signal }).catch((error: unknown) => {
        if (!signal.aborted)
          logger.warn({ err: error }, 'the connection that listens to the outbox failed')
      })
      place.isTaken = false
      await sleep(RECONNECT_MS, undefined, { signal }).catch(() => {})
    }
  }
  const done = keepListening()
  return {
    isActive: () => place.isTaken,
    async stop() {
      stopping.abort()
      await done
    },
  }
}

interface Listening {
  place: { isTaken: boolean }
  onWake: () => void
  signal: AbortSignal
}

/** Resolves or rejects when the connection has ended. */
async function listenOnce(
  connectionString: string,
  { place, onWake, signal }: Listening,
): Promise<void> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  })
  const ended = new Promise<void>((resolve, reject) => {
    client.once('end', resolve).on('error', reject)
  })
  ended.catch(() => {})
  cutOffWhenLate(client, PROBE_RESPONSE_MS)
  const end = () => void client.end().catch(() => {})
  try {
    await client.connect()
    // Only now: a client that is ended while it connects never emits `end`.
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) return
    await client.query(`set idle_session_timeout = ${SILENT_MAX_MS}`)
    await takePlace(client, ended, signal)
    client.on('notification', onWake)
    const listen = () => client.query(`listen ${OUTBOX_CHANNEL}`)
    await listen()
    place.isTaken = true
    onWake()
    // A lost connection is not reported by the network: only a query detects it.
    const probe = setInterval(() => void listen().catch(() => {}), PROBE_EVERY_MS)
    await ended.finally(() => clearInterval(probe))
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}

/** Resolves when the connection has a place. Rejects if it ends before. */
async function takePlace(client: pg.Client, ended: Promise<void>, signal: AbortSignal) {
  const lost = ended.then(() => Promise.reject(new Error('the connection has ended')))
  lost.catch(() => {})
  for (;;) {
    const { rowCount } = await client.query(
      'select 1 from generate_series(1, $1) place where pg_try_advisory_lock($2, place) limit 1',
      [ACTIVE_RELAYS_MAX, PLACE_LOCKS],
    )
    if (rowCount === 1) return
    await Promise.race([lost, sleep(PLACE_EVERY_MS, undefined, { signal })])
  }
}
