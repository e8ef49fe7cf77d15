import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { Pool } from 'undici'
import { processorSeconds } from './cores.ts'

/** A request that is sent repeatedly. */
export interface Load {
  origin: string
  path: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  /** Further paths and headers, used in turn with those above. */
  others?: { path: string; headers: Record<string, string> }[]
  /** The expected status; any other one ends the measurement with an error. */
  status: number
}

export interface Throughput {
  requestsPerSecond: number
  /** Share of one core that the server used, 0 to 1. */
  busy: number
}

/** Sends as many requests as the server can serve; each connection waits for its response. */
export async function measureThroughput(
  { origin, status, others = [], ...first }: Load,
  { pid, connections, seconds }: { pid: number; connections: number; seconds: number },
): Promise<Throughput> {
  const processorBefore = processorSeconds(pid)
  const startedAt = performance.now()
  const result = await autocannon({
    url: origin,
    requests: [first, ...others.map((other) => ({ ...first, ...other }))],
    connections,
    duration: seconds,
  })
  const elapsedSeconds = (performance.now() - startedAt) / 1000
  const wrong = Object.entries(result.statusCodeStats ?? {}).filter(
    ([code]) => Number(code) !== status,
  )
  if (result.errors > 0 || wrong.length > 0)
    throw new Error(`${origin}: ${result.errors} errors, and responses ${JSON.stringify(wrong)}`)
  return {
    requestsPerSecond: result.requests.average,
    busy: (processorSeconds(pid) - processorBefore) / elapsedSeconds,
  }
}

/**
 * Returns sorted latencies in milliseconds at a steady rate. Requests leave on a fixed schedule without
 * waiting for responses. Each is timed from the moment it was due, so that a stall counts for every
 * request that it delays.
 */
export async function measureLatencies(
  load: Load,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<number[]> {
  const pool = new Pool(load.origin, { connections: 128 })
  const responses: Promise<number>[] = []
  const startedAt = performance.now()
  for (let sent = 0; sent < perSecond * seconds; sent++) {
    const dueAt = startedAt + (sent * 1000) / perSecond
    const waitMs = dueAt - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    responses.push(timeOne(pool, load, dueAt))
  }
  const latencies = await Promise.all(responses)
  await pool.close()
  return latencies.toSorted((a, b) => a - b)
}

async function timeOne(pool: Pool, load: Load, dueAt: number): Promise<number> {
  const { path, method, headers, body = null } = load
  const response = await pool.request({ path, method, headers, body })
  await response.body.dump()
  if (response.statusCode !== load.status)
    throw new Error(`${load.origin}${path} responded with ${response.statusCode}`)
  return performance.now() - dueAt
}

/** Returns the median; for an even number of values, the mean of the middle two. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
  return (lower + upper) / 2
}

/** Returns the value below which `share` (0 to 1) of the values lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
