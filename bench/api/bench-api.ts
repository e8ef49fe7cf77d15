import type { ServerProcess } from '../../test/infrastructure/server-process.ts'
import { reserveServerCore } from '../cores.ts'
import { atMost, pairsAtLeast, type Figure } from '../figure.ts'
import { measureLatencies, measureThroughput, percentile, type Load } from '../load.ts'
import { pairUp } from '../pairs.ts'
import { openApiBenchFixture, type ApiBenchFixture } from './fixture.ts'

/** Keeps the server busy; as many as a busy client opens. */
const CONNECTIONS = 32
const WARM_UP_SECONDS = 6
const ROUNDS = 5
const ROUND_SECONDS = 5
const RATE_MIN = 0.95

/**
 * A hundred times the rate limit of one key (120 requests in a minute), and far below the capacity of
 * one core, so that a slow response means a stall. 50 ms is not noticeable before playback starts.
 */
const STEADY_PER_SECOND = 200
const STEADY_SECONDS = 15
const P50_BUDGET_MS = 10
const P99_BUDGET_MS = 50

/** Measures POST playback-tokens: throughput on one core, compared with the anchor, and latency at a steady rate. */
export async function benchApi(): Promise<Figure[]> {
  const cores = reserveServerCore()
  const fixture = await openApiBenchFixture(cores.launcher)
  try {
    return [...(await throughput(fixture)), ...(await latency(fixture))]
  } finally {
    await fixture.close()
    cores.release()
  }
}

async function throughput(fixture: ApiBenchFixture): Promise<Figure[]> {
  const anchor = { name: 'anchor', server: fixture.anchor, load: anchorLoad(fixture), rates: [] }
  const one = { name: 'one key', server: fixture.api, load: apiLoad(fixture), rates: [] }
  const many = { name: 'many keys', server: fixture.api, load: everyAccount(fixture), rates: [] }
  const runs: { name: string; server: ServerProcess; load: Load; rates: number[] }[] = [
    anchor,
    one,
    many,
  ]
  for (const { server, load } of runs) await run(server, load, WARM_UP_SECONDS)
  for (let round = 1; round <= ROUNDS; round++)
    for (const { name, server, load, rates } of runs) {
      const { requestsPerSecond, busy } = await run(server, load, ROUND_SECONDS)
      rates.push(requestsPerSecond)
      const shares = `${Math.round(requestsPerSecond)}/s, its core ${Math.round(busy * 100)} % busy`
      console.error(`  … round ${round}, ${name}: ${shares}`)
    }
  const row = (what: string, rates: number[]) =>
    pairsAtLeast(
      `POST playback-tokens on one core, ${what}`,
      pairUp(rates, anchor.rates),
      'requests/s',
      RATE_MIN,
    )
  return [row('one key', one.rates), row(`${fixture.accounts.length} keys`, many.rates)]
}

const run = ({ pid }: ServerProcess, load: Load, seconds: number) =>
  measureThroughput(load, { pid, connections: CONNECTIONS, seconds })

async function latency(fixture: ApiBenchFixture): Promise<Figure[]> {
  const steady = { perSecond: STEADY_PER_SECOND, seconds: STEADY_SECONDS }
  const latencies = await measureLatencies(apiLoad(fixture), steady)
  const rate = `at ${STEADY_PER_SECOND}/s`
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)]
  return [
    atMost(`POST playback-tokens, p50 ${rate}`, p50, 'ms', { most: P50_BUDGET_MS }),
    atMost(`POST playback-tokens, p99 ${rate}`, p99, 'ms', { most: P99_BUDGET_MS }),
  ]
}

const BODY = JSON.stringify({ viewer_id: 'viewer-42' })
const JSON_TYPE = { 'Content-Type': 'application/json' }

const tokensOf = ({ apiKey, videoId }: ApiBenchFixture['accounts'][number]) => ({
  path: `/v1/videos/${videoId}/playback-tokens`,
  headers: { ...JSON_TYPE, Authorization: `Bearer ${apiKey}` },
})

const everyAccount = ({ api, accounts: [first, ...others] }: ApiBenchFixture): Load => {
  if (!first) throw new Error('there is no account')
  const request = { origin: api.baseUrl, method: 'POST', body: BODY, status: 201 } as const
  return { ...request, ...tokensOf(first), others: others.map(tokensOf) }
}

const apiLoad = (fixture: ApiBenchFixture): Load =>
  everyAccount({ ...fixture, accounts: fixture.accounts.slice(0, 1) })

const anchorLoad = ({ anchor, accounts }: ApiBenchFixture): Load => ({
  origin: anchor.baseUrl,
  path: `/videos/${accounts[0]?.videoId}`,
  method: 'POST',
  headers: JSON_TYPE,
  body: BODY,
  status: 201,
})
