const BEAT_INTERVAL_MS = 5_000

/** A process whose last beat is older is not running, or cannot reach the database. */
export const ALIVE_MS = 4 * BEAT_INTERVAL_MS

export interface Beats {
  stop(): Promise<void>
}

/**
 * Calls `record` every few seconds until it is stopped, and then `remove`. Ignores a beat that fails,
 * because the next one follows.
 */
export function startBeats(record: () => Promise<void>, remove: () => Promise<void>): Beats {
  const beat = () => record().catch(() => {})
  let last = beat()
  const timer = setInterval(() => void (last = beat()), BEAT_INTERVAL_MS)
  return {
    async stop() {
      clearInterval(timer)
      await last
      await remove().catch(() => {})
    },
  }
}
