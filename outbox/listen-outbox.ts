import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { cutOffWhenLate } from '../db/deadlines.ts'
import { OUTBOX_CHANNEL } from '../db/workflow-requests.ts'

const RECONNECT_MS = 1_000
const CONNECT_TIMEOUT_MS = 5_000
/** How often, and how long, it asks whether the connection still lives: nothing else is sent on it. */
const PROBE_EVERY_MS = 5_000
const PROBE_ANSWER_MS = 5_000

export interface OutboxListener {
  stop(): Promise<void>
}

/**
 * Calls `onWake` at each commit that wrote commands, and after each reconnect, since nothing is
 * heard while the connection is away. Reconnects for as long as it is not stopped.
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
        if (!signal.aborted) logger.warn({ err: error }, 'the outbox is not listened to')
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

/** Resolves or rejects when the connection is over. */
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
  cutOffWhenLate(client, PROBE_ANSWER_MS)
  const end = () => void client.end().catch(() => {})
  try {
    await client.connect()
    // Not before: a client that is told to end while it connects never says that it has ended.
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) return
    client.on('notification', onWake)
    const listen = () => client.query(`listen ${OUTBOX_CHANNEL}`)
    await listen()
    onWake()
    // A network that has lost the connection does not say so: only a question finds out.
    const probe = setInterval(() => void listen().catch(() => {}), PROBE_EVERY_MS)
    await ended.finally(() => clearInterval(probe))
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}
