import { createKey } from '../../commands/accounts/api-keys.ts'
import { createAccount } from '../../commands/accounts/create-account.ts'
import { closeMonths } from '../../commands/audience/close-months.ts'
import { openDatabase } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { utcDay } from '../../domain/timestamps.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import type { ServerProcess } from '../../test/infrastructure/server-process.ts'
import { NO_LIMIT } from '../api/fixture.ts'
import { reserveServerCore } from '../cores.ts'
import { asInformation, atMost, type Figure } from '../figure.ts'
import { percentile } from '../load.ts'
import { requireDisk } from '../require-disk.ts'
import { openBenchServers, type BenchServers } from '../servers.ts'
import { fillAudience, type AudienceSize } from './fill.ts'

const SIZE: AudienceSize = { videos: 10_000, days: 730, viewers: 300_000 }
const OTHER_ACCOUNTS = 50
const DISK_GB = 45
const MONTHS_AT_ONCE = 500
const REQUESTS = 100
/** Issue "audience": the dashboard's queries. */
const MOST_MS = 50
const DAY_MS = 86_400_000

/** The first account and one of the others. */
interface Owner {
  name: string
  apiKey: string
  /** Videos that are asked for in turn. */
  videoIds: string[]
}

/**
 * Measures the responses of the API to what the dashboard asks for about the audience, one after another, with two years of 10,000
 * videos, half of which one account owns, and twenty values of each video on each day. About half an hour.
 */
export async function benchAudience(): Promise<Figure[]> {
  const cores = reserveServerCore()
  const servers = await openBenchServers('audience', cores.launcher)
  try {
    await requireDisk(servers.folder, DISK_GB)
    const owners = await fillDatabase(servers)
    const api = await servers.startService('api/server.ts', 'API_PORT', {
      API_REQUESTS_PER_MINUTE: NO_LIMIT,
      API_REQUESTS_PER_DAY: NO_LIMIT,
    })
    const figures: Figure[] = []
    for (const owner of owners) figures.push(...(await measureOwner(api, owner)))
    return figures
  } finally {
    await servers.close()
    cores.release()
  }
}

async function fillDatabase({ databaseUrl, masterKey }: BenchServers): Promise<Owner[]> {
  await migrate(databaseUrl)
  const db = await openDatabase({ url: databaseUrl, poolSize: 2 })
  try {
    const keys = parseMasterKeys(masterKey)
    const account = { name: 'Bench', protection: 'clearkey', storageLimitBytes: null } as const
    const ids: number[] = []
    for (let at = 0; at <= OTHER_ACCOUNTS; at += 1)
      ids.push(await createAccount(db.em.fork(), keys, account))
    await fillAudience(databaseUrl, ids, SIZE)
    while (await closeMonths(db.em.fork(), MONTHS_AT_ONCE));
    const [half = 0, small = 0] = ids
    const ownerOf = async (name: string, accountId: number): Promise<Owner> => {
      const key = { accountId, name, scopes: ['audience:read' as const] }
      const videos = await db.em
        .fork()
        .execute<{ id: string }[]>('select id from video where account_id = ? order by id', [
          accountId,
        ])
      const step = Math.ceil(videos.length / REQUESTS)
      const videoIds = videos.filter((_, at) => at % step === 0).map(({ id }) => id)
      return { name, apiKey: await createKey(db.em.fork(), key), videoIds }
    }
    return [await ownerOf('half of all videos', half), await ownerOf('100 videos', small)]
  } finally {
    await db.close(true)
  }
}

/** What is asked for; `V` stands for a video. */
const QUERIES: Record<string, { path: string; days?: number }> = {
  'audience of 28 days': { path: '/v1/audience?', days: 28 },
  'audience of a year': { path: '/v1/audience?interval=month', days: 365 },
  'audience of two years': { path: '/v1/audience?interval=month', days: 730 },
  'audience by hour': { path: '/v1/audience?interval=hour', days: 2 },
  'audience of a video': { path: '/v1/audience?video_id=V', days: 28 },
  'audience of a video in two years': { path: '/v1/audience?interval=month&video_id=V', days: 730 },
  'most watched videos of 28 days': { path: '/v1/audience/videos?limit=10', days: 28 },
  'most watched videos of two years': { path: '/v1/audience/videos?limit=10', days: 730 },
  'most watched videos by time': {
    path: '/v1/audience/videos?limit=10&order=watch_seconds',
    days: 90,
  },
  'hosts of two years': { path: '/v1/audience/breakdown?kind=host', days: 730 },
  'browsers of a video in two years': {
    path: '/v1/audience/breakdown?kind=browser&video_id=V',
    days: 730,
  },
  'retention of a video in two years': { path: '/v1/videos/V/retention?', days: 730 },
  'viewers by the beginning of their id': { path: '/v1/viewers?prefix=viewer-1234' },
  'viewers of a video': { path: '/v1/viewer-progress?video_id=V' },
  'videos of a viewer': { path: '/v1/viewer-progress?viewer_id=viewer-777' },
}

async function measureOwner(api: ServerProcess, owner: Owner): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, { path, days }] of Object.entries(QUERIES)) {
    const times: number[] = []
    for (let at = 0; at < REQUESTS; at += 1) {
      const id = owner.videoIds[at % owner.videoIds.length] ?? ''
      times.push(await timeOf(api, owner, path.replace('V', id) + rangeOf(days, at)))
    }
    const row = `${name}, ${owner.name}`
    figures.push(
      atMost(`${row}, p95`, percentile(times, 0.95), 'ms', { most: MOST_MS }),
      asInformation(`${row}, p50`, percentile(times, 0.5), 'ms'),
    )
    console.error(`  … ${row}: p95 ${percentile(times, 0.95).toFixed(1)} ms`)
  }
  return figures
}

/** A range that ends on another day in each request, within what is kept. */
function rangeOf(days: number | undefined, at: number): string {
  if (days === undefined) return ''
  const to = Date.now() - (days >= SIZE.days ? 0 : at % 5) * DAY_MS
  return `&from=${utcDay(to - (days - 1) * DAY_MS)}&to=${utcDay(to)}`
}

async function timeOf(
  { baseUrl }: ServerProcess,
  { apiKey }: Owner,
  path: string,
): Promise<number> {
  const startedAt = performance.now()
  const headers = { Authorization: `Bearer ${apiKey}` }
  const response = await fetch(baseUrl + path.replace('?&', '?'), { headers })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`GET ${path} got ${response.status}: ${text}`)
  return performance.now() - startedAt
}
