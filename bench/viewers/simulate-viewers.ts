import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

/** How the pages of a video behave, before and after the server learned to set their pace. */
interface Viewing {
  /** True if nothing plays yet. */
  isWaiting: boolean
  /** True if the page also asks what plays. */
  reads: boolean
}

interface Crowd extends Viewing {
  origin: string
  sessionHeader: string
  /** The tokens of the viewers. */
  tokens: string[]
}

/** What a crowd has sent since the last `reset`. */
export interface Crowded {
  /** Sorted milliseconds. */
  heartbeats: number[]
  reads: number[]
  failures: number
}

/** Viewers who send what pages send, when the server tells them to. */
export interface RunningCrowd {
  /** Forgets what was sent until now. */
  reset(): void
  /** Ends the crowd. */
  stop(): Promise<Crowded>
}

/** The first heartbeats and reads come within this time. */
const ARRIVAL_MS = 60_000
/** Pages of an older server ask so often while they wait. */
const OLD_WAITING_SECONDS = 2
const PLAYING_READ_SECONDS = 5
/** After a failure. */
const RETRY_SECONDS = 5
/** A page that was opened before its video plays sends its first heartbeat after a minute. */
const FIRST_WAITING_MS = 60_000

/** A crowd while it sends. */
interface Live extends Crowd {
  pool: Pool
  sent: Crowded
  isOver: boolean
}

/** Starts the pages of a crowd. */
export function startCrowd(crowd: Crowd): RunningCrowd {
  const pool = new Pool(crowd.origin, { connections: 64, keepAliveTimeout: 2_000 })
  const sent: Crowded = { heartbeats: [], reads: [], failures: 0 }
  const live: Live = { ...crowd, pool, sent, isOver: false }
  for (const token of crowd.tokens) openPage(live, token)
  return {
    reset() {
      sent.heartbeats.length = 0
      sent.reads.length = 0
      sent.failures = 0
    },
    async stop() {
      live.isOver = true
      const { failures } = sent
      await pool.destroy().catch(() => undefined)
      const sorted = (values: number[]): number[] => values.toSorted((a, b) => a - b)
      return { heartbeats: sorted(sent.heartbeats), reads: sorted(sent.reads), failures }
    },
  }
}

function openPage(live: Live, first: string): void {
  const { isWaiting, reads, sent } = live
  let token = first
  const arrivesMs = Math.random() * ARRIVAL_MS
  const openedMs = performance.now()
  void follow(live, isWaiting && reads ? Math.random() * FIRST_WAITING_MS : arrivesMs, async () => {
    const said = await ask(live, token, {
      path: '/sessions/heartbeat',
      into: sent.heartbeats,
      body: {
        position_seconds: isWaiting ? 0 : 3,
        watched_seconds: 0,
        bytes_loaded: 0,
        ...(isWaiting
          ? reads && { is_waiting: true }
          : measuresAfter(performance.now() - openedMs)),
      },
    })
    token = said.session ?? token
    return isWaiting && !reads ? OLD_WAITING_SECONDS : said.next_in_seconds
  })
  if (!reads) return
  void follow(live, arrivesMs, async () => {
    const path = '/sessions/preparation?at=3.000'
    const said = await ask(live, token, { path, into: sent.reads })
    return Math.max(said.next_in_seconds, isWaiting ? 0 : PLAYING_READ_SECONDS)
  })
}

/** What a player has measured of a video of ten hours that it plays from the beginning. */
function measuresAfter(playedMs: number): object {
  const seconds = Math.round(playedMs / 1000)
  const hundredths = Math.floor(seconds / 360)
  const parts = (2n ** 100n - 2n ** BigInt(100 - hundredths)).toString(16).padStart(25, '0')
  return {
    watched_seconds: seconds,
    media_seconds: seconds,
    parts,
    stretches: [[0, seconds, 0]],
    first_frame_seconds: 0.42,
    stalls: 1,
    stalled_seconds: 0.8,
    quality: 720,
    speed: 1,
  }
}

/** Repeats a request, after as many seconds as it resolves to. */
async function follow(live: Live, firstMs: number, next: () => Promise<number>): Promise<void> {
  await sleep(firstMs)
  while (!live.isOver)
    await sleep(
      1000 *
        (await next().catch(() => {
          live.sent.failures += 1
          return RETRY_SECONDS
        })),
    )
}

interface Asked {
  path: string
  /** Gets the time until the response. */
  into: number[]
  body?: object
}

async function ask(
  { pool, sessionHeader }: Live,
  token: string,
  { path, into, body }: Asked,
): Promise<{ session?: string; next_in_seconds: number }> {
  const startedAt = performance.now()
  const response = await pool.request({
    path,
    method: body ? 'POST' : 'GET',
    headers: { [sessionHeader]: token, 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
  })
  const text = await response.body.text()
  into.push(performance.now() - startedAt)
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${text}`)
  return JSON.parse(text)
}
