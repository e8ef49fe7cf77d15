import { keepCoreForServer } from '../cores.ts'
import { atLeast, atMost } from '../figure.ts'
import type { Figure } from '../figure.ts'
import { measureLatencies, measureThroughput, median, percentile } from '../load.ts'
import type { Load } from '../load.ts'
import type { ServerProcess } from '../../test/service/server-process.ts'
import { openBenchWorld } from './bench-world.ts'
import type { BenchWorld } from './bench-world.ts'

/** Enough that the server always has something to do, as many as a busy client opens. */
const CONNECTIONS = 32
const WARM_UP_SECONDS = 6
const ROUNDS = 5
const ROUND_SECONDS = 5

/**
 * A hundred times what the contract lets one key ask for (120 a minute), and far below what one core
 * can do: there, what is slow is a stall. 50 ms is less than anybody notices before a film starts.
 */
const STEADY_PER_SECOND = 200
const STEADY_SECONDS = 15
const P50_BUDGET_MS = 10
const P99_BUDGET_MS = 50

/** POST playback-tokens: throughput on one core beside the anchor's, and latency at a steady rate. */
export async function benchApi(): Promise<Figure[]> {
  const cores = keepCoreForServer()
  const world = await openBenchWorld(cores.launcher)
  try {
    return [...(await throughput(world)), ...(await latency(world))]
  } finally {
    await world.close()
    cores.release()
  }
}

async function throughput(world: BenchWorld): Promise<Figure[]> {
  const anchor = { name: 'anchor', server: world.anchor, load: anchorLoad(world) }
  const api = { name: 'api', server: world.api, load: apiLoad(world) }
  for (const { server, load } of [anchor, api]) await run(server, load, WARM_UP_SECONDS)
  const rates = { anchor: [] as number[], api: [] as number[] }
  for (let round = 1; round <= ROUNDS; round++)
    for (const { name, server, load } of [anchor, api]) {
      const { requestsPerSecond, busy } = await run(server, load, ROUND_SECONDS)
      rates[name as keyof typeof rates].push(requestsPerSecond)
      const shares = `${Math.round(requestsPerSecond)}/s, its core ${Math.round(busy * 100)} % busy`
      console.error(`  … round ${round}, ${name}: ${shares}`)
    }
  const against = { anchor: median(rates.anchor), least: 0.7 }
  return [atLeast('POST playback-tokens on one core', median(rates.api), 'requests/s', against)]
}

const run = ({ pid }: ServerProcess, load: Load, seconds: number) =>
  measureThroughput(load, { pid, connections: CONNECTIONS, seconds })

async function latency(world: BenchWorld): Promise<Figure[]> {
  const steady = { perSecond: STEADY_PER_SECOND, seconds: STEADY_SECONDS }
  const latencies = await measureLatencies(apiLoad(world), steady)
  const at = `at ${STEADY_PER_SECOND}/s`
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)]
  return [
    atMost(`POST playback-tokens, p50 ${at}`, p50, 'ms', { most: P50_BUDGET_MS }),
    atMost(`POST playback-tokens, p99 ${at}`, p99, 'ms', { most: P99_BUDGET_MS }),
  ]
}

const BODY = JSON.stringify({ viewer_id: 'viewer-42' })
const JSON_TYPE = { 'Content-Type': 'application/json' }

const apiLoad = ({ api, apiKey, videoId }: BenchWorld): Load => ({
  origin: api.baseUrl,
  path: `/v1/videos/${videoId}/playback-tokens`,
  method: 'POST',
  headers: { ...JSON_TYPE, Authorization: `Bearer ${apiKey}` },
  body: BODY,
  status: 201,
})

const anchorLoad = ({ anchor, videoId }: BenchWorld): Load => ({
  origin: anchor.baseUrl,
  path: `/videos/${videoId}`,
  method: 'POST',
  headers: JSON_TYPE,
  body: BODY,
  status: 201,
})
