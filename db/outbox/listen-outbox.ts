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

export interface OutboxListener {
  stop(): Promise<void>
}

/**
 * Calls `onWake` at each commit that wrote workflow requests, and after each reconnect, because notifications
 * are lost while there is no connection. Reconnects until it is stopped.
 */
export function listenToOutbox(
  databaseUrl: string,
  onWake: () => void,
  logger: Logger,
): OutboxListener {
  const stopping = new AbortController()
  const { signal } = stopping
  const keepListening = async (): Promise<void> => {
    while (!signal.aborted) {
      await listenOnce(databaseUrl, onWake, signal).catch((error: unknown) => {
        if (!signal.aborted)
          logger.warn({ err: error }, 'the connection that listens to the outbox failed')
      })
      await sleep(RECONNECT_MS, undefined, { signal }).catch(() => {})
    }
  }
  const done = keepListening()
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }
}

/** Resolves or rejects when the connection has ended. */
async function listenOnce(
  connectionString: string,
  onWake: () => void,
  signal: AbortSignal,
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
    client.on('notification', onWake)
    const listen = () => client.query(`listen ${OUTBOX_CHANNEL}`)
    await listen()
    onWake()
    // A lost connection is not reported by the network: only a query detects it.
    const probe = setInterval(() => void listen().catch(() => {}), PROBE_EVERY_MS)
    await ended.finally(() => clearInterval(probe))
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}
