import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { Pool } from 'undici'
import { openDatabase, type Database } from '../../db/database.ts'
import { Account } from '../../db/entities/account.ts'
import { WebhookEndpoint } from '../../db/entities/event.ts'
import { migrate } from '../../db/migrate.ts'
import { SECURITY_EVENTS_PER_MINUTE } from '../../domain/limits.ts'
import { embedUrl } from '../../domain/playback/embed-url.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../domain/settings/player-settings.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { signViewerToken } from '../../security/tokens/viewer-token.ts'
import { insertPublishedVideo } from '../../test/fixtures/published-video.ts'
import { playerDataOf } from '../../test/fixtures/viewer.ts'
import { reserveServerCore } from '../cores.ts'
import { asInformation, atLeast, atMost, type Figure } from '../figure.ts'
import { percentile } from '../load.ts'
import { openBenchServers, type BenchServers } from '../servers.ts'
import type { ForgedFlood } from './forge-requests.ts'

const SITE = 'https://site.example/'
const FORGED_PER_SECOND = 10_000
const IDLE_SECONDS = 30
const STARTS_PER_SECOND = 20
const WARM_UP_SECONDS = 10
/** Before the flood and after it, so that it is measured whole. */
const MARGIN_MS = 2_000
const ENDPOINTS = 3
/** Well below the server's, which would otherwise close a connection that is about to be used. */
const KEEP_ALIVE_MS = 2_000

/** How the flood arrives. */
interface Arrival {
  name: string
  env: Record<string, string>
  seconds: number
  options: Pick<ForgedFlood, 'connections' | 'waits' | 'forwardedFor'>
}

const ARRIVALS: Arrival[] = [
  {
    name: 'direct',
    env: {},
    seconds: 60,
    options: { connections: 20, waits: false },
  },
  {
    name: 'through a proxy',
    env: { TRUSTED_PROXIES: '1' },
    seconds: 30,
    options: { connections: 1000, waits: true, forwardedFor: '192.0.2.7' },
  },
]

/** Measures the starts of viewers while one network sends forged requests, compared with those without. */
export async function benchFlood(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const arrival of ARRIVALS) {
    for (const figure of await benchArrival(arrival))
      figures.push({ ...figure, figure: `${arrival.name}: ${figure.figure}` })
  }
  return figures
}

async function benchArrival(arrival: Arrival): Promise<Figure[]> {
  const cores = reserveServerCore()
  const servers = await openBenchServers('flood', cores.launcher)
  await migrate(servers.databaseUrl)
  const db = await openDatabase({ url: servers.databaseUrl, poolSize: 2 })
  try {
    const [attacked, other] = [await makeVideo(db, servers), await makeVideo(db, servers)]
    const player = await servers.startService('player/server/main.ts', 'PLAYER_PORT', arrival.env)
    const starts = (seconds: number) =>
      Promise.all([attacked, other].map((video) => measureStarts(player.baseUrl, video, seconds)))
    await starts(WARM_UP_SECONDS)
    const idle = await starts(IDLE_SECONDS)
    const flooding = flood(player.baseUrl, attacked.forgedPath, arrival)
    await sleep(MARGIN_MS)
    const busy = await starts(arrival.seconds - (2 * MARGIN_MS) / 1000)
    const flooded = await flooding
    return [...startFigures(idle, busy), ...(await floodFigures(db, arrival, flooded))]
  } finally {
    await db.close(true)
    await servers.close()
    cores.release()
  }
}

export interface BenchVideo {
  /** With a valid viewer token. */
  path: string
  forgedPath: string
  keyId: string
}

/** Makes an account that requires viewer tokens and has endpoints for security events, with a video. */
export async function makeVideo(db: Database, { masterKey }: BenchServers): Promise<BenchVideo> {
  const masterKeys = parseMasterKeys(masterKey)
  const signingSecret = randomBytes(32).toString('hex')
  const secrets = { masterKeys, signingSecret }
  const { accountId, videoId, keyId } = await insertPublishedVideo(db, secrets, { title: 'Bench' })
  const em = db.em.fork()
  const watermark = { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true }
  await em.nativeUpdate(Account, accountId, { settings: { ...DEFAULT_PLAYER_SETTINGS, watermark } })
  for (let index = 0; index < ENDPOINTS; index += 1)
    await em.insert(WebhookEndpoint, {
      accountId,
      url: `https://receiver.example/${index}`,
      events: ['security.event'],
      sealedSecret: 'x',
    })
  const claims = { viewerId: 'viewer-42', expiresAtSeconds: Math.floor(Date.now() / 1000) + 3600 }
  const pathWith = (secret: string) =>
    embedUrl('', videoId, accountId, signViewerToken(claims, secret))
  return {
    path: pathWith(signingSecret),
    forgedPath: pathWith('f'.repeat(64)),
    keyId: keyId.toString('base64url'),
  }
}

/** Times of starts, sorted, in milliseconds. */
export interface Starts {
  pages: number[]
  licences: number[]
  /** How many had no page or no licence. */
  failed: number
}

/** Starts at a fixed rate: the page and then its licence, each timed from its request; a late start counts from when it was due. */
export async function measureStarts(
  origin: string,
  video: BenchVideo,
  seconds: number,
): Promise<Starts> {
  const pool = new Pool(origin, { connections: 32, keepAliveMaxTimeout: KEEP_ALIVE_MS })
  const running: Promise<[number, number] | null>[] = []
  const startedAt = performance.now()
  for (let sent = 0; sent < STARTS_PER_SECOND * seconds; sent += 1) {
    const dueAt = startedAt + (sent * 1000) / STARTS_PER_SECOND
    const waitMs = dueAt - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    running.push(startOnce(pool, video, dueAt).catch(() => null))
  }
  const all = await Promise.all(running)
  const times = all.filter((one) => one !== null)
  await pool.close()
  const [pages, licences] = [times.map(([page]) => page), times.map(([, licence]) => licence)]
  return { pages, licences, failed: all.length - times.length }
}

async function startOnce(
  pool: Pool,
  { path, keyId }: BenchVideo,
  dueAt: number,
): Promise<[number, number] | null> {
  const page = await pool.request({ path, method: 'GET', headers: { Referer: SITE } })
  const html = await page.body.text()
  const pageAt = performance.now()
  if (page.statusCode !== 200) return null
  const { session, sessionHeader } = playerDataOf(html)
  const askedAt = performance.now()
  const licence = await pool.request({
    path: '/licence/clearkey',
    method: 'POST',
    headers: { [sessionHeader]: session },
    body: JSON.stringify({ kids: [keyId] }),
  })
  await licence.body.dump()
  if (licence.statusCode !== 200) return null
  return [pageAt - dueAt, performance.now() - askedAt]
}

export interface Flood {
  sent: number
  statuses: Record<string, number>
  /** How often a connection was opened. */
  opens: number
  /** Connections that ended before a response. */
  cutOff: number
  sendingSeconds: number
}

function flood(origin: string, path: string, { seconds, options }: Arrival): Promise<Flood> {
  const rate = { perSecond: FORGED_PER_SECOND, seconds }
  return sendFlood({ origin, path, referer: SITE, ...rate, ...options })
}

/** Sends the flood from a process of its own. */
export async function sendFlood(forged: ForgedFlood): Promise<Flood> {
  const args = ['bench/flood/forge-requests.ts', JSON.stringify(forged)]
  const { stdout } = await execa(process.execPath, args, { stderr: 'inherit' })
  return JSON.parse(stdout) as Flood
}

function startFigures(idle: Starts[], busy: Starts[]): Figure[] {
  const names = ['of the account that is attacked', 'of another account']
  const failed = [...idle, ...busy].reduce((sum, starts) => sum + starts.failed, 0)
  const times = names.flatMap((name, index) =>
    (['pages', 'licences'] as const).flatMap((part) => {
      const [quiet, loud] = [idle[index]?.[part] ?? [], busy[index]?.[part] ?? []]
      const p99 = { anchor: percentile(quiet, 0.99), most: 1.5 }
      const p50 = { anchor: percentile(quiet, 0.5) }
      return [
        atMost(`${part} ${name}, p99`, percentile(loud, 0.99), 'ms', p99),
        asInformation(`${part} ${name}, median`, percentile(loud, 0.5), 'ms', p50),
      ]
    }),
  )
  return [...times, atMost('starts that failed', failed, '', { most: 0 })]
}

async function floodFigures(
  db: Database,
  { seconds, options: { waits } }: Arrival,
  flooded: Flood,
): Promise<Figure[]> {
  console.error(`  … forged requests: ${JSON.stringify(flooded)}`)
  const [written] = await db.em.fork().execute<Written[]>(WRITTEN)
  if (!written) throw new Error('no counts')
  // The flood touches two or three minutes of the clock, and `forged` is the one reason.
  const minutes = Math.ceil(seconds / 60) + 1
  const most = minutes * (SECURITY_EVENTS_PER_MINUTE + 1)
  const { 403: refused = 0, 429: _limited, ...others } = flooded.statuses
  const perSecond = flooded.sent / flooded.sendingSeconds
  return [
    waits
      ? asInformation('forged requests sent', perSecond, '/s')
      : atLeast('forged requests sent', perSecond, '/s', { least: FORGED_PER_SECOND * 0.98 }),
    atMost('statuses other than 403 and 429', Object.keys(others).length, '', { most: 0 }),
    // A client that has sent more than was read can lose the response with the connection.
    asInformation('connections that ended without a response', flooded.cutOff, ''),
    atMost('refusal pages without a record', Math.abs(refused - written.observed), '', { most: 0 }),
    atMost('security events written', written.recorded, '', { most }),
    atMost('events written', written.events, '', { most }),
    atMost('deliveries written', written.deliveries, '', { most: most * ENDPOINTS }),
  ]
}

interface Written {
  recorded: number
  /** With the counts in their details. */
  observed: number
  events: number
  deliveries: number
}

const WRITTEN = `select count(*)::int as recorded,
  coalesce(sum(coalesce((details->>'count')::int, 1)), 0)::int as observed,
  (select count(*)::int from event) as events,
  (select count(*)::int from webhook_delivery) as deliveries from security_event`
