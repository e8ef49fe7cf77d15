import type { ServerProcess } from '../test/infrastructure/server-process.ts'
import type { BenchAccount } from './api/fixture.ts'
import { percentile } from './load.ts'

/** Calls `GET /v1/account`. Resolves to the milliseconds that it took. */
export async function readAccount(
  { baseUrl }: ServerProcess,
  { apiKey }: BenchAccount,
): Promise<number> {
  const startedAtMs = performance.now()
  const headers = { Authorization: `Bearer ${apiKey}` }
  const response = await fetch(`${baseUrl}/v1/account`, { headers })
  await response.text()
  if (response.status !== 200) throw new Error(`GET /v1/account got ${response.status}`)
  return performance.now() - startedAtMs
}

/** Returns the 99th percentile of values in any order. */
export const p99 = (values: number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.99,
  )
