import { keepCoreForServer } from '../cores.ts'
import { atLeast, atMost } from '../figure.ts'
import type { Figure } from '../figure.ts'
import { measureLatencies, measureThroughput, median, percentile } from '../load.ts'
import type { Load } from '../load.ts'
import type { ServerProcess } from '../../test/infrastructure/server-process.ts'
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
  const anchor = { name: 'anchor', server: world.anchor, load: anchorLoad(world), rates: [] }
  const one = { name: 'one key', server: world.api, load: apiLoad(world), rates: [] }
  const many = { name: 'many keys', server: world.api, load: everyAccount(world), rates: [] }
  const runs: { name: string; server: ServerProcess; load: Load; rates: number[] }[] = [
    ...[anchor, one, many],
  ]
  for (const { server, load } of runs) await run(server, load, WARM_UP_SECONDS)
  for (let round = 1; round <= ROUNDS; round++)
    for (const { name, server, load, rates } of runs) {
      const { requestsPerSecond, busy } = await run(server, load, ROUND_SECONDS)
      rates.push(requestsPerSecond)
      const shares = `${Math.round(requestsPerSecond)}/s, its core ${Math.round(busy * 100)} % busy`
      console.error(`  … round ${round}, ${name}: ${shares}`)
    }
  const against = { anchor: median(anchor.rates), least: 0.7 }
  const row = (what: string, rates: number[]) =>
    atLeast(`POST playback-tokens on one core, ${what}`, median(rates), 'requests/s', against)
  return [row('one key', one.rates), row(`${world.accounts.length} keys`, many.rates)]
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

const tokensOf = ({ apiKey, videoId }: BenchWorld['accounts'][number]) => ({
  path: `/v1/videos/${videoId}/playback-tokens`,
  headers: { ...JSON_TYPE, Authorization: `Bearer ${apiKey}` },
})

const everyAccount = ({ api, accounts: [first, ...others] }: BenchWorld): Load => {
  if (!first) throw new Error('there is no account')
  const request = { origin: api.baseUrl, method: 'POST', body: BODY, status: 201 } as const
  return { ...request, ...tokensOf(first), others: others.map(tokensOf) }
}

const apiLoad = (world: BenchWorld): Load =>
  everyAccount({ ...world, accounts: world.accounts.slice(0, 1) })

const anchorLoad = ({ anchor, accounts }: BenchWorld): Load => ({
  origin: anchor.baseUrl,
  path: `/videos/${accounts[0]?.videoId}`,
  method: 'POST',
  headers: JSON_TYPE,
  body: BODY,
  status: 201,
})
