import { createKey } from '../../commands/accounts/api-keys.ts'
import { openDatabase } from '../../db/database.ts'
import { embedUrl } from '../../domain/playback/embed-url.ts'
import type { ServerProcess } from '../../test/infrastructure/server-process.ts'
import { asInformation, type Figure } from '../figure.ts'
import { measureLatencies, measureThroughput, median, percentile, type Load } from '../load.ts'
import type { BenchServers } from '../servers.ts'
import type { FillTarget } from './fill.ts'
import { findMiddle } from './operations.ts'

const CONNECTIONS = 32
const WARM_UP_SECONDS = 4
const ROUNDS = 3
const ROUND_SECONDS = 5
const STEADY = { perSecond: 100, seconds: 10 }

const NO_LIMIT = '1000000000'

/**
 * Measures the list of videos and the embed page in the large database, with one and with two processes. All share one
 * core, beside the load and the database on the others, so the rate is requests per second of processor time: what
 * two processes lose of it, they lose to each other.
 */
export async function measureProcesses(
  servers: BenchServers,
  target: FillTarget,
): Promise<Figure[]> {
  const env = { DATABASE_URL: target.url }
  const limits = { API_REQUESTS_PER_MINUTE: NO_LIMIT, API_REQUESTS_PER_DAY: NO_LIMIT }
  const api = () => servers.startService('api/server.ts', 'API_PORT', { ...env, ...limits })
  const player = () => servers.startService('player/server/main.ts', 'PLAYER_PORT', env)
  const { apiKey, embedPath } = await findAddresses(target)
  const list = { path: '/v1/videos?limit=25', headers: { Authorization: `Bearer ${apiKey}` } }
  const page = { path: embedPath, headers: { Referer: 'https://site.example/' } }
  return [
    ...(await measureBoth('GET /v1/videos', [await api(), await api()], list)),
    ...(await measureBoth('embed page', [await player(), await player()], page)),
  ]
}

type Request = Pick<Load, 'path' | 'headers'>

async function measureBoth(
  name: string,
  [first, second]: [ServerProcess, ServerProcess],
  request: Request,
): Promise<Figure[]> {
  const loadOf = ({ baseUrl: origin }: ServerProcess): Load => ({
    ...request,
    origin,
    method: 'GET',
    status: 200,
  })
  for (const server of [first, second])
    await run(server, loadOf(server), WARM_UP_SECONDS, CONNECTIONS)
  const [one, two]: [number[], number[]] = [[], []]
  for (let round = 1; round <= ROUNDS; round += 1) {
    one.push(rateOf([await run(first, loadOf(first), ROUND_SECONDS, CONNECTIONS)]))
    two.push(
      rateOf(
        await Promise.all([
          run(first, loadOf(first), ROUND_SECONDS, CONNECTIONS),
          run(second, loadOf(second), ROUND_SECONDS, CONNECTIONS),
        ]),
      ),
    )
  }
  const latencies = await measureLatencies(loadOf(first), STEADY)
  const rate = `at ${STEADY.perSecond}/s`
  return [
    asInformation(`${name}, one process`, median(one), 'requests/s of a core'),
    asInformation(`${name}, two processes`, median(two), 'requests/s of a core', {
      anchor: median(one),
    }),
    asInformation(`${name}, p50 ${rate}`, percentile(latencies, 0.5), 'ms'),
    asInformation(`${name}, p99 ${rate}`, percentile(latencies, 0.99), 'ms'),
  ]
}

const run = ({ pid }: ServerProcess, load: Load, seconds: number, connections: number) =>
  measureThroughput(load, { pid, connections, seconds })

/** Requests per second of processor time. */
function rateOf(results: { requestsPerSecond: number; busy: number }[]): number {
  const total = (key: 'requestsPerSecond' | 'busy') =>
    results.reduce((sum, result) => sum + result[key], 0)
  return total('requestsPerSecond') / total('busy')
}

async function findAddresses(target: FillTarget): Promise<{ apiKey: string; embedPath: string }> {
  const db = await openDatabase({ url: target.url, poolSize: 1 })
  try {
    const em = db.em.fork()
    const [accountId] = target.accountIds
    const apiKey = await createKey(em, { accountId, name: 'Bench', scopes: ['videos:read'] })
    const { videoId } = await findMiddle(em, accountId)
    return { apiKey, embedPath: embedUrl('', videoId, accountId) }
  } finally {
    await db.close(true)
  }
}
