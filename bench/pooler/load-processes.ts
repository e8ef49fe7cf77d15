import { setTimeout as sleep } from 'node:timers/promises'
import { embedUrl } from '../../domain/playback/embed-url.ts'
import type { FilledAccount, PooledInstallation } from './installation.ts'

/** So many clients call each process of a kind at the same time. */
const CLIENTS = 2
/** Leaves the processors time for the other processes. */
const PAUSE_MS = 500
/** So many API processes also request a delivery in each turn. */
const DELIVERING = 2

interface Call {
  url: string
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  status: number
}

export interface LoadResult {
  count: number
  /** How often each response that was not expected came, by its request. */
  failures: Map<string, number>
}

/** Calls every API, player and dashboard process until the signal aborts. */
export async function loadProcesses(
  installation: PooledInstallation,
  signal: AbortSignal,
): Promise<LoadResult> {
  const result: LoadResult = { count: 0, failures: new Map() }
  const repeat = async (calls: Call[]): Promise<void> => {
    while (!signal.aborted)
      for (const call of calls) {
        result.count += 1
        const wrong = await send(call)
        if (wrong !== null) result.failures.set(wrong, (result.failures.get(wrong) ?? 0) + 1)
        await sleep(PAUSE_MS)
      }
  }
  const { called, processes } = installation
  const { api, player, dashboard } = processes
  const lists = [
    ...api.map(({ baseUrl }, index) => apiCalls(baseUrl, called, index < DELIVERING)),
    ...player.map(({ baseUrl }) => playerCalls(baseUrl, called)),
    ...dashboard.map(({ baseUrl }) => dashboardCalls(baseUrl)),
  ]
  await Promise.all(lists.flatMap((calls) => Array.from({ length: CLIENTS }, () => repeat(calls))))
  return result
}

function apiCalls(base: string, { apiKey, known }: FilledAccount, delivers: boolean): Call[] {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  const [, video] = known.videos
  const get = (path: string): Call => ({ url: base + path, method: 'GET', headers, status: 200 })
  const post = (path: string, body: object, status: number): Call => ({
    url: base + path,
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    status,
  })
  return [
    get('/v1/videos'),
    get(`/v1/videos/${video}`),
    get('/v1/events'),
    get('/v1/webhook-deliveries'),
    post(`/v1/videos/${video}/playback-tokens`, { viewer_id: 'viewer-42' }, 201),
    ...(delivers ? [post(`/v1/webhook-endpoints/${known.endpoints[0]}/test`, {}, 202)] : []),
  ]
}

function playerCalls(base: string, { accountId, known }: FilledAccount): Call[] {
  const url = embedUrl(base, String(known.videos[1]), accountId)
  return [{ url, method: 'GET', headers: { Referer: 'https://site.example/' }, status: 200 }]
}

/** Readiness asks PostgreSQL. */
const dashboardCalls = (base: string): Call[] => [
  { url: `${base}/readyz`, method: 'GET', status: 200 },
]

async function send({ url, status, ...request }: Call): Promise<string | null> {
  const name = `${request.method} ${new URL(url).pathname}`
  try {
    const response = await fetch(url, request)
    const text = await response.text()
    if (response.status === status) return null
    return `${name}: ${response.status} ${/"code":"\w+"/.exec(text)?.[0] ?? ''}`
  } catch (error) {
    return `${name}: ${String(error)}`
  }
}
