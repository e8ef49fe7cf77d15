import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Database } from '../database.ts'
import { cutOffWhenLate } from '../deadlines.ts'
import { queries } from '../queries.ts'
import { OUTBOX_CHANNEL } from './workflow-requests.ts'

const RECONNECT_MS = 1_000
const CONNECT_TIMEOUT_MS = 5_000
/** The interval and the deadline of the check that the connection is alive; nothing else is sent on it. */
const PROBE_EVERY_MS = 5_000
const PROBE_RESPONSE_MS = 5_000

/** So many relays of an installation are active. More would only compete for the same rows. */
export const ACTIVE_RELAYS_MAX = 3
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

interface OutboxAddress {
  /** For the questions of a relay that waits for a place. */
  db: Database
  /** Of PostgreSQL itself. */
  directUrl: string
}

/**
 * Takes one of the places of active relays as soon as one is free, and keeps it until it is stopped or the connection is lost.
 * Meanwhile calls `onWake` at each notification of committed requests, and when it has got its place, because notifications are
 * lost before. Reconnects until it is stopped. The place is a lock of a connection of its own, which must not lead through a
 * pooler in transaction mode; a relay without a place has no such connection.
 */
export function listenToOutbox(
  { db, directUrl }: OutboxAddress,
  onWake: () => void,
  logger: Logger,
): OutboxListener {
  const stopping = new AbortController()
  const { signal } = stopping
  const place = { isTaken: false }
  const keepListening = async (): Promise<void> => {
    while (!signal.aborted) {
      const hadPlace = await hasFreePlace(db)
        .then((isFree) => isFree && listenOnce(directUrl, { place, onWake, signal }))
        .catch((error: unknown) => {
          if (!signal.aborted)
            logger.warn({ err: error }, 'the connection that listens to the outbox failed')
          return true
        })
      place.isTaken = false
      const waitMs = hadPlace ? RECONNECT_MS : PLACE_EVERY_MS
      await sleep(waitMs, undefined, { signal }).catch(() => {})
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

/** Takes a place for the moment of the question. Another relay that asks at this moment may miss it once. */
async function hasFreePlace(db: Database): Promise<boolean> {
  const { rows } = await sql`select 1 from generate_series(1, ${ACTIVE_RELAYS_MAX}::int) place
    where pg_try_advisory_xact_lock(${PLACE_LOCKS}::int, place) limit 1`.execute(
    queries(db.em.fork()),
  )
  return rows.length > 0
}

/** Resolves to false if no place is free; otherwise to true, or rejects, when the connection has ended. */
async function listenOnce(
  connectionString: string,
  { place, onWake, signal }: Listening,
): Promise<boolean> {
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
    if (signal.aborted || !(await takesPlace(client))) return false
    await client.query(`set idle_session_timeout = ${SILENT_MAX_MS}`)
    client.on('notification', onWake)
    const listen = () => client.query(`listen ${OUTBOX_CHANNEL}`)
    await listen()
    place.isTaken = true
    onWake()
    // A lost connection is not reported by the network: only a query detects it.
    const probe = setInterval(() => void listen().catch(() => {}), PROBE_EVERY_MS)
    await ended.finally(() => clearInterval(probe))
    return true
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}

async function takesPlace(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    'select 1 from generate_series(1, $1) place where pg_try_advisory_lock($2, place) limit 1',
    [ACTIVE_RELAYS_MAX, PLACE_LOCKS],
  )
  return rowCount === 1
}
