import { SESSION_ENDS, type SessionEnd } from '../../../domain/playback/playback-session.ts'
import type { PlayerData, Preparation } from '../../player-data.ts'
import type { MessageCode } from '../problems.ts'

/** Until a response says when the next heartbeat is due, as those of an older release do not. */
const HEARTBEAT_SECONDS = 60
const HEARTBEAT_INCOMPLETE_SECONDS = 5
/** Delay after a failed heartbeat. */
const RETRY_SECONDS = 5
/** Heartbeats of which the server has not said when they are due come up to this part earlier, so that pages that were opened together spread. */
const JITTER = 0.1
/** The server may choose within these bounds: leases and tokens are made for a heartbeat a minute. */
const HEARTBEAT_BOUNDS = [2, 60] as const
const READ_SECONDS = 2
const READ_BOUNDS = [1, 30] as const

/** Sent with each heartbeat. */
interface Progress {
  position_seconds: number
  /** Total of this session. */
  watched_seconds: number
  bytes_loaded: number
  /** True while nothing of a video that is being prepared has played: the session leaves no record yet. */
  is_waiting?: boolean
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
  /** Sends heartbeats until the session ends. A second call replaces the events. */
  start(events: SessionEvents): void
  /** Reads what plays at a place of a video that is being prepared. Rejects without a connection. */
  read(placeSeconds: number): Promise<Outcome>
  /** How long to wait for the next read after one with this outcome. */
  nextReadMs(outcome: Outcome): number
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

/** Of a heartbeat or a read. */
export type Outcome = 'ok' | 'failed' | 'ended'

interface PreparationResponse {
  renditions: number
  is_complete: boolean
  /** Absent in responses of an older release. */
  next_in_seconds?: number
  /** Absent in responses of an older release. */
  preparation?: Preparation | null
}

interface HeartbeatResponse extends PreparationResponse {
  session: string
}

/** A session while its page is open. */
interface Live {
  data: PlayerData
  token: string
  events: SessionEvents | null
  hasEnded: boolean
  /** True until a read says that the video is playable. */
  isPreparing: boolean
  readMs: number
  /** The time until the heartbeat after the next one. */
  dueMs: number
  timer?: ReturnType<typeof setTimeout>
  /** Of the heartbeats that have no response yet. */
  pending: AbortController
}

/** Opens the session whose token is in the page. */
export function openSession(data: PlayerData): Session {
  const { session: token, isPreparing } = data
  const live: Live = {
    data,
    token,
    events: null,
    hasEnded: false,
    isPreparing,
    readMs: READ_SECONDS * 1000,
    dueMs: spread(intervalOf(data.isComplete || isPreparing)),
    pending: new AbortController(),
  }
  return {
    headers: () => headersOf(live),
    async fetch(url) {
      const response = await fetch(url, { headers: headersOf(live) })
      if (!response.ok) throw new Error(`${url} responded with ${response.status}`)
      return response
    },
    start(given) {
      if (!live.events) plan(live, live.dueMs)
      live.events = given
    },
    read: (placeSeconds) => read(live, placeSeconds),
    nextReadMs: (outcome) => (outcome === 'ok' ? live.readMs : spread(RETRY_SECONDS)),
    end: () => void (live.hasEnded = true),
    leave() {
      // One that arrives after the last one would take the viewer's place again.
      live.pending.abort()
      live.pending = new AbortController()
      void beat(live, LEAVING).catch(() => undefined)
    },
    reportTampering(how, send) {
      const body = `{"kind":"watermark_tampered","how":"${how}","stopped":true}`
      send(data.incidentsUrl, withJson(headersOf(live)), body)
    },
  }
}

const headersOf = ({ data, token }: Live): Record<string, string> => ({
  [data.sessionHeader]: token,
})

async function beat(live: Live, more?: typeof LEAVING): Promise<Outcome> {
  if (live.hasEnded) return 'ended'
  const body = { ...live.events?.progress(), ...more }
  const response = await fetch(live.data.heartbeatUrl, {
    method: 'POST',
    headers: withJson(headersOf(live)),
    body: JSON.stringify(body),
    ...(more === LEAVING ? { keepalive: true } : { signal: live.pending.signal }),
  })
  const refusal = await refused(live, response)
  if (refusal !== null || response.status === 204) return refusal ?? 'ok'
  const said: HeartbeatResponse = await response.json()
  live.token = said.session
  live.dueMs = dueMsOf(said) ?? spread(intervalOf(said.is_complete))
  publish(live, said)
  return 'ok'
}

async function read(live: Live, placeSeconds: number): Promise<Outcome> {
  if (live.hasEnded) return 'ended'
  const url = `${live.data.preparationUrl}?at=${placeSeconds.toFixed(3)}`
  const response = await fetch(url, { headers: headersOf(live) })
  // A process of an older release.
  if (response.status === 404) return beat(live)
  const refusal = await refused(live, response)
  if (refusal !== null) return refusal
  const said: PreparationResponse = await response.json()
  if (said.preparation !== null)
    live.readMs = msOf(said.next_in_seconds, READ_BOUNDS) ?? live.readMs
  else if (live.isPreparing) plan(live, dueMsOf(said) ?? live.dueMs)
  live.isPreparing = said.preparation !== null
  publish(live, said)
  return 'ok'
}

/** Sends the next heartbeat after a delay, instead of when it was due, and those after it. */
function plan(live: Live, delayMs: number): void {
  const next = async (): Promise<void> => {
    const outcome = await beat(live).catch((): Outcome => 'failed')
    if (outcome === 'ended') return
    plan(live, outcome === 'ok' ? live.dueMs : Math.min(live.dueMs, spread(RETRY_SECONDS)))
  }
  clearTimeout(live.timer)
  live.timer = setTimeout(() => void next(), delayMs)
}

/** Returns the outcome of a response that says nothing; null for one that does. */
async function refused({ events }: Live, response: Response): Promise<Outcome | null> {
  if (response.status !== 403) return response.ok ? null : 'failed'
  events?.onEnded(await readSessionEnd(response))
  return 'ended'
}

const publish = (
  { events }: Live,
  { renditions, is_complete, preparation = null }: PreparationResponse,
): void => events?.onRenditions({ count: renditions, isComplete: is_complete, preparation })

const dueMsOf = ({ next_in_seconds }: PreparationResponse): number | null =>
  msOf(next_in_seconds, HEARTBEAT_BOUNDS)

const withJson = (headers: Record<string, string>): Record<string, string> => ({
  ...headers,
  'Content-Type': 'application/json',
})

const intervalOf = (isComplete: boolean): number =>
  isComplete ? HEARTBEAT_SECONDS : HEARTBEAT_INCOMPLETE_SECONDS

const spread = (seconds: number): number => seconds * 1000 * (1 - JITTER * Math.random())

/** Returns what the server said, in milliseconds and within bounds; null if it said nothing. */
const msOf = (seconds: unknown, [least, most]: readonly [number, number]): number | null =>
  typeof seconds === 'number' ? Math.min(most, Math.max(least, seconds)) * 1000 : null

/** Reads from the server's refusal why the session has ended. */
async function readSessionEnd(response: Response): Promise<SessionEnd> {
  const body: { error?: { code?: string } } | null = await response.json().catch(() => null)
  return SESSION_ENDS.find((end) => end === body?.error?.code) ?? 'session_ended'
}
