import { setTimeout as sleep } from 'node:timers/promises'
import { createKey } from '../../../commands/accounts/api-keys.ts'
import { createAccount } from '../../../commands/accounts/create-account.ts'
import type { Database } from '../../../db/database.ts'
import { SCOPES } from '../../../domain/accounts/scopes.ts'
import { SUBSCRIBABLE_EVENT_TYPES } from '../../../domain/webhooks/events.ts'
import { parseMasterKeys } from '../../../security/sealing/sealing.ts'
import type { World } from './world.ts'

/** What the API has acknowledged of a video. */
export interface KnownVideo {
  id: string
  title: string
  embedUrl: string
  /** Label of the caption that was written last; null if none was. */
  caption: string | null
  /** Playback sessions with an acknowledged heartbeat. */
  sessions: number
  isDeleted: boolean
}

/** An integrator, and what the API has acknowledged to it. */
export interface KnownAccount {
  accountId: number
  apiKey: string
  videos: KnownVideo[]
  /** Responses with 500, by their request. */
  internalErrors: string[]
  /** Plays of a video after its deletion was acknowledged. */
  leaks: string[]
}

export async function makeAccount(world: World, db: Database): Promise<KnownAccount> {
  const em = db.em.fork()
  const plan = { name: 'Chaos', protection: 'clearkey', storageLimitBytes: null } as const
  const accountId = await createAccount(em, parseMasterKeys(world.masterKey), plan)
  const apiKey = await createKey(em, { accountId, scopes: [...SCOPES] })
  const account = { accountId, apiKey, videos: [], internalErrors: [], leaks: [] }
  const path = `/hook/${accountId}`
  const { body } = await request(world, account, {
    method: 'POST',
    path: '/v1/webhook-endpoints',
    body: { url: world.integrator.baseUrl + path, events: SUBSCRIBABLE_EVENT_TYPES },
  })
  world.integrator.secrets.set(path, (body as { secret: string }).secret)
  return account
}

interface ApiRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
  /** Statuses besides 2xx that end the request; others, and none, are asked again. */
  statuses?: number[]
}

interface ApiResponse {
  status: number
  body: unknown
}

const TIMEOUT_MS = 20_000
const AGAIN_MS = 200
/** An operation that gets no response for so long stops the run. */
const GIVE_UP_MS = 300_000
/** Part of a later request: the link did not respond, the key is in use, the service is busy or away. */
const PASSING = [409, 422, 429, 500, 502, 503, 504]

/**
 * Sends a request until it gets a response, as an integrator does whose client repeats it under one Idempotency-Key.
 * Throws when the API returns what no fault explains.
 */
export async function request(
  { api }: Pick<World, 'api'>,
  { apiKey, internalErrors }: Pick<KnownAccount, 'apiKey' | 'internalErrors'>,
  { method, path, body, statuses = [] }: ApiRequest,
): Promise<ApiResponse> {
  const giveUpAtMs = performance.now() + GIVE_UP_MS
  let idempotencyKey = crypto.randomUUID()
  let last = 'no response'
  while (performance.now() < giveUpAtMs) {
    const headers: Record<string, string> = { Authorization: `Bearer ${apiKey}` }
    if (body !== undefined) headers['Content-Type'] = 'application/json'
    if (method === 'POST') headers['Idempotency-Key'] = idempotencyKey
    const reply = await send(api + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (reply !== null) {
      if (reply.status < 300 || statuses.includes(reply.status)) return reply
      last = `${method} ${path} responded with ${reply.status}: ${JSON.stringify(reply.body)}`
      if (!PASSING.includes(reply.status)) throw new Error(last)
      if (reply.status === 500) internalErrors.push(last)
      // A refused link is a response, which its key repeats.
      if (reply.status === 422) idempotencyKey = crypto.randomUUID()
    }
    await sleep(AGAIN_MS)
  }
  throw new Error(`no response in ${GIVE_UP_MS} ms, last: ${last}`)
}

/** Resolves to null if no whole response came. */
const send = async (url: string, init: RequestInit): Promise<ApiResponse | null> => {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) }
  } catch {
    return null
  }
}

/** Adds a video whose source is the integrator's file at `path`, and notes what the API has acknowledged. */
export async function addVideo(
  world: World,
  account: KnownAccount,
  { path, title }: { path: string; title: string },
): Promise<void> {
  const source_url = world.integrator.baseUrl + path
  const made = await request(world, account, {
    method: 'POST',
    path: '/v1/videos',
    body: { source_url, title },
  })
  const { id, embed_url: embedUrl } = made.body as { id: string; embed_url: string }
  account.videos.push({ id, title, embedUrl, caption: null, sessions: 0, isDeleted: false })
}
