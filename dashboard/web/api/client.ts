import createClient, { type Client } from 'openapi-fetch'
import { fetchAsMember } from './fetch-as-member.ts'
import { idempotencyKeys } from './idempotency-keys.ts'
import { problemFromResponse } from './problem.ts'
import type { paths } from './schema.ts'

export type Api = Client<paths>

const clients = new Map<string, Api>()

/** The client of an account's operations: those of `/v1` and those of the dashboard. */
export function apiOf(account: string): Api {
  const known = clients.get(account)
  if (known) return known
  const client = createClient<paths>({
    baseUrl: `/api/accounts/${encodeURIComponent(account)}`,
    fetch: (request) => fetchAsMember(account, request),
  })
  client.use(idempotencyKeys)
  clients.set(account, client)
  return client
}

/** Resolves to the body of a response; throws a Problem for an error response, a TypeError without a response. */
export async function unwrap<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call
  if (data === undefined) throw problemFromResponse(error, response)
  return data
}

/** Resolves to the JSON of an operation that also responds with CSV, for a request that asked for JSON. */
export async function unwrapJson<T>(
  call: Promise<{ data?: T | string; error?: unknown; response: Response }>,
): Promise<T> {
  const data = await unwrap(call)
  if (typeof data === 'string') throw new Error('a response is CSV instead of JSON')
  return data
}
