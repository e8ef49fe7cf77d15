import type { PlayerData } from '../player-data.ts'

const HEARTBEAT_MS = 60_000
const HEARTBEAT_INCOMPLETE_MS = 5_000

/** The playback session: its token stays in this module's memory and travels in a header. */
export interface Session {
  headers(): Record<string, string>
  /** Renews the token until the server ends the session. */
  start(events: { onRenditions: (count: number) => void; onEnded: () => void }): void
}

/** Holds the session that the page came with. */
export function openSession(data: PlayerData): Session {
  let token = data.session
  const headers = (): Record<string, string> => ({ [data.sessionHeader]: token })
  return {
    headers,
    start({ onRenditions, onEnded }) {
      const everyMs = data.isComplete ? HEARTBEAT_MS : HEARTBEAT_INCOMPLETE_MS
      const beat = async (): Promise<void> => {
        const response = await fetch(data.heartbeatUrl, { method: 'POST', headers: headers() })
        if (response.status === 403) {
          clearInterval(timer)
          onEnded()
          return
        }
        if (!response.ok) return
        const body = (await response.json()) as { session: string; renditions: number }
        token = body.session
        onRenditions(body.renditions)
      }
      // A heartbeat that is lost on the way is made up for by the next one.
      const timer = setInterval(() => void beat().catch(() => undefined), everyMs)
    },
  }
}
