import { SESSION_ENDS, type SessionEnd } from '../../../domain/playback/playback-session.ts'
import type { PlayerData, Preparation } from '../../player-data.ts'
import type { MessageCode } from '../problems.ts'
import type { Measured } from './measure.ts'

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
const READ_BOUNDS = [0.5, 30] as const

/** Sent with each heartbeat. All but the position are totals of the session, so a lost heartbeat loses nothing. */
interface Progress extends Partial<Measured> {
  position_seconds: number
  bytes_loaded: number
  /** Why the video does not play. */
  error?: MessageCode | undefined
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

/** The last heartbeat of a page, or the only one of a video that could not start. */
type Last = { is_leaving: true; error?: MessageCode }

interface SessionEvents {
  /** `isLast` says that the page closes. */
  progress: (isLast: boolean) => Progress
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
  /** Sends a heartbeat that says why nothing of the video has played, with which the viewer may play elsewhere. */
  reportFailure(error: MessageCode): void
  /** Sends the next heartbeat now, instead of when it is due. */
  beat(): void
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
    end() {
      live.hasEnded = true
      live.events = null
    },
    leave: () => leave(live, { is_leaving: true }),
    reportFailure: (error) => leave(live, { is_leaving: true, error }),
    beat: () => void beatOn(live),
    reportTampering(how, send) {
      const body = `{"kind":"watermark_tampered","how":"${how}","stopped":true}`
      send(data.incidentsUrl, withJson(headersOf(live)), body)
    },
  }
}

const headersOf = ({ data, token }: Live): Record<string, string> => ({
  [data.sessionHeader]: token,
})

function leave(live: Live, last: Last): void {
  // One that arrives after the last one would take the viewer's place again.
  live.pending.abort()
  live.pending = new AbortController()
  void beat(live, last).catch(() => undefined)
}

async function beat(live: Live, last?: Last): Promise<Outcome> {
  if (live.hasEnded) return 'ended'
  const progress = last?.error ? null : live.events?.progress(last !== undefined)
  const response = await fetch(live.data.heartbeatUrl, {
    method: 'POST',
    headers: withJson(headersOf(live)),
    body: JSON.stringify({ ...progress, ...last }),
    // The page may be closed, or frozen.
    keepalive: last !== undefined || document.hidden,
    ...(!last && { signal: live.pending.signal }),
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
  clearTimeout(live.timer)
  live.timer = setTimeout(() => void beatOn(live), delayMs)
}

/** Sends a heartbeat, and those after it. */
async function beatOn(live: Live): Promise<void> {
  const outcome = await beat(live).catch((): Outcome => 'failed')
  if (outcome === 'ended') return
  plan(live, outcome === 'ok' ? live.dueMs : Math.min(live.dueMs, spread(RETRY_SECONDS)))
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
