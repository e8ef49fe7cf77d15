import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { Protection } from '../../domain/accounts/plan.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import { DOMAINS, type Installation } from './installation.ts'
import type { Site } from './site.ts'

/** The public hosts, as clients outside reach them: Caddy's port on this machine, with its certificates. */
export interface PublicHosts {
  caddyAuthority: string
  apiKey: string
}

const INGEST_MS = 600_000
const FINAL = ['ready', 'failed']

interface ApiResponse {
  status: number
  body: string
}

/** Requests an address of a public host over TLS. Throws if its certificate is not of Caddy's authority. */
function fetchPublic(
  { caddyAuthority, apiKey }: PublicHosts,
  host: string,
  path: string,
  post?: unknown,
): Promise<ApiResponse> {
  const headers = { Authorization: `Bearer ${apiKey}`, Host: host }
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      servername: host,
      ca: caddyAuthority,
      path,
      method: post === undefined ? 'GET' : 'POST',
      headers: post === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
    })
    outgoing.once('error', reject)
    outgoing.once('response', (response) => {
      const { statusCode: status = 0 } = response
      text(response).then((body) => resolve({ status, body }), reject)
    })
    outgoing.end(post === undefined ? undefined : JSON.stringify(post))
  })
}

/** Requests the API. Returns the parsed response; throws unless it is a success. */
export async function callApi(hosts: PublicHosts, path: string, post?: unknown): Promise<unknown> {
  const { status, body } = await fetchPublic(hosts, DOMAINS.api, path, post)
  if (status >= 300) throw new Error(`${path} responded with ${status}: ${body}`)
  return JSON.parse(body)
}

/** Makes an account and its key as docs/operating/install.md says. Returns the key. */
export async function makeAccount(
  { reelgate }: Installation,
  plan: Protection = 'clearkey',
): Promise<string> {
  const run = async (...args: string[]): Promise<unknown> =>
    JSON.parse(await reelgate(...args, '--json'))
  const account = await run('accounts', 'create', '--name', 'First', '--plan', plan)
  const { id } = z.object({ id: z.int() }).parse(account)
  const key = await run('keys', 'create', '--account', String(id), '--scopes', 'all')
  return z.object({ key: z.string() }).parse(key).key
}

const videoSchema = z.object({ id: z.string(), status: z.string(), embed_url: z.url() })

/** Ingests the site's source through Caddy, and returns the page that embeds the video once it is ready. */
export async function ingest(hosts: PublicHosts, site: Site): Promise<string> {
  const events = ['video.created', 'video.ready', 'video.failed']
  const endpoint = await callApi(hosts, '/v1/webhook-endpoints', {
    url: `${site.baseUrl}/hook`,
    events,
  })
  site.setSecret(z.object({ secret: z.string() }).parse(endpoint).secret)
  const { id, embed_url: embedUrl } = await createVideo(hosts, site.sourceUrl)
  await awaitStatus(hosts, id, 'ready')
  return embedUrl
}

/** Creates a video from an address. */
export const createVideo = async (hosts: PublicHosts, sourceUrl: string) =>
  videoSchema.parse(await callApi(hosts, '/v1/videos', { source_url: sourceUrl }))

/** Waits until a video has a status. Throws when it fails, or has another final status. */
export async function awaitStatus(hosts: PublicHosts, id: string, wanted: string): Promise<void> {
  const hasStatus = async (): Promise<boolean> => {
    const { status } = videoSchema.parse(await callApi(hosts, `/v1/videos/${id}`))
    if (status !== wanted && FINAL.includes(status)) throw new Error(`the video ${id} is ${status}`)
    return status === wanted
  }
  await waitFor(`${wanted} of the video ${id}`, hasStatus, INGEST_MS)
}

/** Waits until both webhooks have come, with signatures that verify. */
export const awaitWebhooks = ({ verified }: Site): Promise<unknown> =>
  waitFor('both webhooks', async () =>
    ['video.created', 'video.ready'].every((type) => verified.includes(type)),
  )

/** Throws if readiness or metrics are public. */
export async function checkHidden(hosts: PublicHosts): Promise<void> {
  for (const host of Object.values(DOMAINS))
    for (const path of ['/readyz', '/readyz/', '/READYZ', '/%72eadyz', '/metrics']) {
      const { status } = await fetchPublic(hosts, host, path)
      if (status !== 404) throw new Error(`https://${host}${path} responds with ${status}`)
    }
  const { status } = await fetchPublic(hosts, DOMAINS.api, '/healthz')
  if (status !== 200) throw new Error(`/healthz responds with ${status}`)
}

/** Requests the list of videos. */
export const listVideos = (hosts: PublicHosts): Promise<unknown> =>
  callApi(hosts, '/v1/videos?limit=1')

/** Waits until the API responds through Caddy. */
export const awaitApi = (hosts: PublicHosts): Promise<unknown> =>
  waitFor('the API', () =>
    listVideos(hosts).then(
      () => true,
      () => false,
    ),
  )
