import { freePort } from '../../scripts/embedded/ports.ts'
import type { ServerProcess } from '../../test/infrastructure/server-process.ts'
import { atLeast } from '../figure.ts'
import type { Figure } from '../figure.ts'
import { measureThroughput, median } from '../load.ts'
import type { Load } from '../load.ts'
import { SITE } from './bench-world.ts'
import type { PlayerBenchWorld } from './bench-world.ts'

/** Enough that the server always has something to do. */
const CONNECTIONS = 32
const WARM_UP_SECONDS = 5
const ROUNDS = 5
const ROUND_SECONDS = 4

/**
 * The page of the iframe, without and with a viewer token, each a new playback session. The load and
 * the database cannot always keep a core of the anchor busy, so what was answered is held against the
 * processor time that it took: requests for a second of one whole core.
 */
export async function measureEmbedPages(world: PlayerBenchWorld): Promise<Figure[]> {
  const anchor = await startAnchor(world)
  try {
    const [bare, open, strict] = [
      { name: 'anchor', server: anchor, path: world.path, rates: [] as number[] },
      { name: 'no token', server: world.player, path: world.path, rates: [] as number[] },
      { name: 'token', server: world.player, path: world.pathWithToken, rates: [] as number[] },
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
    const against = { anchor: median(bare.rates), least: 0.7 }
    const row = (what: string, rates: number[]) =>
      atLeast(`embed page on one core, ${what}`, median(rates), 'requests/s', against)
    return [row('for everybody', open.rates), row('with a required viewer token', strict.rates)]
  } finally {
    await anchor.stop()
  }
}

/** The anchor's page is as long as ours is. */
async function startAnchor(world: PlayerBenchWorld): Promise<ServerProcess> {
  const url = `${world.player.baseUrl}${world.path}`
  const page = await (await fetch(url, { headers: { Referer: SITE } })).arrayBuffer()
  const port = await freePort()
  const args = [String(port), world.databaseUrl, String(page.byteLength)]
  return world.startServer('bench/player/anchor-page-server.ts', { port, args })
}

function run({ baseUrl, pid }: ServerProcess, path: string, seconds: number) {
  const headers = { Referer: SITE }
  const load: Load = { origin: baseUrl, path, method: 'GET', headers, status: 200 }
  return measureThroughput(load, { pid, connections: CONNECTIONS, seconds })
}
