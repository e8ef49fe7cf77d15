import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { OUTBOX_CHANNEL } from '../append/append-command.ts'

const RECONNECT_MS = 1_000
const CONNECT_TIMEOUT_MS = 5_000

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
  let current: pg.Client | null = null
  const keepListening = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const client = new pg.Client({
        connectionString: databaseUrl,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        keepAlive: true,
      })
      current = client
      await listenOnce(client, onWake).catch((error: unknown) => {
        if (!stopping.signal.aborted) logger.warn({ err: error }, 'the outbox is not listened to')
      })
      await sleep(RECONNECT_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const done = keepListening()
  return {
    async stop() {
      stopping.abort()
      await current?.end().catch(() => {})
      await done
    },
  }
}

/** Resolves or rejects when the connection is over. */
async function listenOnce(client: pg.Client, onWake: () => void): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => {
    client.once('end', resolve).on('error', reject)
  })
  ended.catch(() => {})
  client.on('notification', onWake)
  try {
    await client.connect()
    await client.query(`listen ${OUTBOX_CHANNEL}`)
    onWake()
    await ended
  } finally {
    // Ends the socket of a connection that failed half-way, too.
    await client.end().catch(() => {})
  }
}
