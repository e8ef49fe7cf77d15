import { SESSION_ENDS } from '../../../domain/playback-session.ts'
import type { SessionEnd } from '../../../domain/playback-session.ts'
import type { PlayerData } from '../../player-data.ts'
import type { MessageCode } from '../message-code.ts'

const HEARTBEAT_MS = 60_000
const HEARTBEAT_INCOMPLETE_MS = 5_000
/** After a heartbeat that was lost on the way. */
const RETRY_MS = 5_000

/** How the playback stands, told with each heartbeat. */
interface Progress {
  position_seconds: number
  /** In all, in this session. */
  watched_seconds: number
  bytes_loaded: number
}

interface SessionEvents {
  progress: () => Progress
  onRenditions: (count: number) => void
  /** The server lets this playback go on no more. */
  onEnded: (why: MessageCode) => void
}

/** The playback session: its token stays in this module's memory and travels in a header. */
export interface Session {
  headers(): Record<string, string>
  /** Fetches something that belongs to the session; throws where the answer is not ok. */
  fetch(url: string): Promise<Response>
  /** Renews the token until the server ends the session. */
  start(events: SessionEvents): void
  /** Tells the server where the viewer is, at once; used when the page goes. */
  report(): void
  /** Lets it go: nothing more is told or asked. */
  end(): void
  /** Records that the watermark was tampered with, and that playback has stopped for it. */
  reportTampering(how: string): void
}

/** Holds the session that the page came with. */
export function openSession(data: PlayerData): Session {
  let token = data.session
  let events: SessionEvents | null = null
  let isOver = false
  const headers = (): Record<string, string> => ({ [data.sessionHeader]: token })
  const post = (url: string, body: unknown): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { ...headers(), 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      keepalive: true,
    })
  const beat = async (): Promise<'go on' | 'again' | 'over'> => {
    if (isOver) return 'over'
    const response = await post(data.heartbeatUrl, events?.progress() ?? {})
    if (response.status === 403) {
      events?.onEnded(await endOf(response))
      return 'over'
    }
    if (!response.ok) return 'again'
    const body = (await response.json()) as { session: string; renditions: number }
    token = body.session
    events?.onRenditions(body.renditions)
    return 'go on'
  }
  return {
    headers,
    async fetch(url) {
      const response = await fetch(url, { headers: headers() })
      if (!response.ok) throw new Error(`${url} answered ${response.status}`)
      return response
    },
    start(given) {
      events = given
      const everyMs = data.isComplete ? HEARTBEAT_MS : HEARTBEAT_INCOMPLETE_MS
      const next = async (): Promise<void> => {
        const outcome = await beat().catch(() => 'again' as const)
        if (outcome === 'over') return
        setTimeout(() => void next(), outcome === 'go on' ? everyMs : Math.min(RETRY_MS, everyMs))
      }
      setTimeout(() => void next(), everyMs)
    },
    end: () => void (isOver = true),
    report: () => void beat().catch(() => undefined),
    reportTampering: (how) =>
      void post(data.incidentsUrl, { kind: 'watermark_tampered', how, stopped: true }).catch(
        () => undefined,
      ),
  }
}

/** Why a session is over, as the server's refusal says it. */
async function endOf(response: Response): Promise<SessionEnd> {
  const body = (await response.json().catch(() => null)) as { error?: { code?: string } } | null
  return SESSION_ENDS.find((end) => end === body?.error?.code) ?? 'session_ended'
}
