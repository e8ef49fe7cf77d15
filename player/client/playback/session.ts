import { SESSION_ENDS, type SessionEnd } from '../../../domain/playback/playback-session.ts'
import type { PlayerData, Preparation } from '../../player-data.ts'
import type { MessageCode } from '../problems.ts'

/** Until a response says when the next heartbeat is due, as those of an older release do not. */
const HEARTBEAT_SECONDS = 60
const HEARTBEAT_INCOMPLETE_SECONDS = 5
/** Delay after a failed heartbeat. */
const RETRY_SECONDS = 5
/** Heartbeats come up to this part of their interval earlier, so that pages that were opened together spread. */
const JITTER = 0.1

/** Sent with each heartbeat. */
interface Progress {
  position_seconds: number
  /** Total of this session. */
  watched_seconds: number
  bytes_loaded: number
}

/** How many renditions a video has, and whether no more will be published. */
export interface PublishedRungs {
  count: number
  isComplete: boolean
  /** Null once the video is playable. */
  preparation: Preparation | null
}

/** Sent with the last heartbeat of a page. */
const LEAVING = { is_leaving: true }

interface SessionEvents {
  progress: () => Progress
  /** Called with what is published now. */
  onRenditions: (published: PublishedRungs) => void
  /** Called when the server ends the session. */
  onEnded: (why: MessageCode) => void
}

/** Sends a JSON text; resolves to nothing, because the page can do nothing if it fails. */
type SendJson = (url: string, headers: Record<string, string>, json: string) => void

/** The playback session. Its token stays in this module and is sent in a header. */
export interface Session {
  headers(): Record<string, string>
  /** Fetches a resource of the session. Throws if the response is not ok. */
  fetch(url: string): Promise<Response>
  /** Sends heartbeats until the session ends; of a video that is being prepared, `beat` sends each. */
  start(events: SessionEvents): void
  /** Sends a heartbeat. Rejects without a connection. */
  beat(): Promise<Outcome>
  /** How long to wait for the next heartbeat after one with this outcome. */
  nextMs(outcome: Outcome): number
  /**
   * Sends a heartbeat immediately, with which the viewer may play elsewhere; used when the page closes. If the
   * browser shows the page again, its next heartbeat asks to play on.
   */
  leave(): void
  /** Stops the heartbeats. */
  end(): void
  /** Reports, by `send`, that the watermark was tampered with and that playback has stopped. */
  reportTampering(how: string, send: SendJson): void
}

/** Of a heartbeat. */
export type Outcome = 'ok' | 'failed' | 'ended'

interface HeartbeatResponse {
  session: string
  renditions: number
  is_complete: boolean
  /** Absent in responses of an older release. */
  next_in_seconds?: number
  /** Absent in responses of an older release. */
  preparation?: Preparation | null
}

/** Opens the session whose token is in the page. */
export function openSession(data: PlayerData): Session {
  let token = data.session
  let events: SessionEvents | null = null
  let hasEnded = false
  let intervalSeconds = intervalOf(data.isComplete)
  const headers = (): Record<string, string> => ({ [data.sessionHeader]: token })
  const beat = async (more: object = {}): Promise<Outcome> => {
    if (hasEnded) return 'ended'
    const response = await post(data.heartbeatUrl, headers(), { ...events?.progress(), ...more })
    if (response.status === 403) {
      events?.onEnded(await readSessionEnd(response))
      return 'ended'
    }
    if (!response.ok) return 'failed'
    if (response.status === 204) return 'ok'
    const body: HeartbeatResponse = await response.json()
    token = body.session
    intervalSeconds = body.next_in_seconds ?? intervalOf(body.is_complete)
    events?.onRenditions({
      count: body.renditions,
      isComplete: body.is_complete,
      preparation: body.preparation ?? null,
    })
    return 'ok'
  }
  const nextMs = (outcome: Outcome): number => {
    const seconds = outcome === 'ok' ? intervalSeconds : Math.min(RETRY_SECONDS, intervalSeconds)
    return seconds * 1000 * (1 - JITTER * Math.random())
  }
  return {
    headers,
    async fetch(url) {
      const response = await fetch(url, { headers: headers() })
      if (!response.ok) throw new Error(`${url} responded with ${response.status}`)
      return response
    },
    start(given) {
      events = given
      if (data.isPreparing) return
      repeat(beat, nextMs)
    },
    beat: () => beat(),
    nextMs,
    end: () => void (hasEnded = true),
    leave: () => void beat(LEAVING).catch(() => undefined),
    reportTampering(how, send) {
      const body = `{"kind":"watermark_tampered","how":"${how}","stopped":true}`
      send(data.incidentsUrl, withJson(headers()), body)
    },
  }
}

const withJson = (headers: Record<string, string>): Record<string, string> => ({
  ...headers,
  'Content-Type': 'application/json',
})

const post = (url: string, headers: Record<string, string>, body: unknown): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: withJson(headers),
    body: JSON.stringify(body),
    keepalive: true,
  })

const intervalOf = (isComplete: boolean): number =>
  isComplete ? HEARTBEAT_SECONDS : HEARTBEAT_INCOMPLETE_SECONDS

function repeat(beat: () => Promise<Outcome>, nextMs: (outcome: Outcome) => number): void {
  const next = async (): Promise<void> => {
    const outcome = await beat().catch(() => 'failed' as const)
    if (outcome !== 'ended') setTimeout(() => void next(), nextMs(outcome))
  }
  setTimeout(() => void next(), nextMs('ok'))
}

/** Reads from the server's refusal why the session has ended. */
async function readSessionEnd(response: Response): Promise<SessionEnd> {
  const body: { error?: { code?: string } } | null = await response.json().catch(() => null)
  return SESSION_ENDS.find((end) => end === body?.error?.code) ?? 'session_ended'
}
