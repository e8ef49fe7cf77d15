import type { ServerProcess } from '../../test/infrastructure/server-process.ts'
import { pairsAsInformation, pairsAtLeast, type Figure } from '../figure.ts'
import { measureThroughput, type Load } from '../load.ts'
import { pairUp } from '../pairs.ts'
import { SITE, type PlayerBenchFixture } from './fixture.ts'

/** Keeps the server busy. */
const CONNECTIONS = 32
const WARM_UP_SECONDS = 5
const ROUNDS = 5
const ROUND_SECONDS = 4
const RATE_MIN = 0.9

/**
 * Measures the embed page without and with a viewer token; each request starts a new playback session.
 * The load and the database cannot always keep the anchor busy, so the rate is requests per second of
 * processor time.
 */
export async function measureEmbedPages(fixture: PlayerBenchFixture): Promise<Figure[]> {
  const anchor = await startAnchor(fixture)
  try {
    const [bare, open, strict] = [
      { name: 'anchor', server: anchor, path: fixture.path, rates: [] as number[] },
      { name: 'no token', server: fixture.player, path: fixture.path, rates: [] as number[] },
      { name: 'token', server: fixture.player, path: fixture.pathWithToken, rates: [] as number[] },
    ] as const
    const runs = [bare, open, strict]
    for (const { server, path } of runs) await run(server, path, WARM_UP_SECONDS)
    for (let round = 1; round <= ROUNDS; round += 1)
      for (const { name, server, path, rates } of runs) {
        const { requestsPerSecond, busy } = await run(server, path, ROUND_SECONDS)
        rates.push(requestsPerSecond / busy)
        const shares = `${Math.round(requestsPerSecond)}/s, its core ${Math.round(busy * 100)} % busy`
        console.error(`  … embed page, round ${round}, ${name}: ${shares}`)
      }
    const pairsOf = (rates: number[]) => pairUp(rates, bare.rates)
    const what = 'embed page on one core'
    return [
      pairsAsInformation(`${what}, without a token`, pairsOf(open.rates), 'requests/s'),
      pairsAtLeast(
        `${what}, with a required viewer token`,
        pairsOf(strict.rates),
        'requests/s',
        RATE_MIN,
      ),
    ]
  } finally {
    await anchor.stop()
  }
}

/** Starts the anchor with a page as long as the player's. */
async function startAnchor(fixture: PlayerBenchFixture): Promise<ServerProcess> {
  const url = `${fixture.player.baseUrl}${fixture.path}`
  const page = await (await fetch(url, { headers: { Referer: SITE } })).arrayBuffer()
  const { servers } = fixture
  const pageBytes = String(page.byteLength)
  return servers.startAnchor('bench/anchor-server.ts', servers.databaseUrl, 'page', pageBytes)
}

function run({ baseUrl, pid }: ServerProcess, path: string, seconds: number) {
  const headers = { Referer: SITE }
  const load: Load = { origin: baseUrl, path, method: 'GET', headers, status: 200 }
  return measureThroughput(load, { pid, connections: CONNECTIONS, seconds })
}
