import type { Client } from '@temporalio/client'
import { z } from 'zod'
import { escapeHtml } from '../../domain/html.ts'
import { VIDEO_STATUSES, type VideoStatus } from '../../domain/videos/video-state.ts'
import { readVideoProgress } from '../../temporal/video-progress.ts'
import type { ServiceAddresses } from '../service-process.ts'
import type { Integrator } from './integrator.ts'
import type { Screen } from './screen.ts'

export interface VideoView {
  id: string
  status: VideoStatus
  duration: number | null
  size_bytes: number
  error: { code: string; message: string } | null
}

const BARS_MS = 250
/** Polls the API less often than it updates the bars: a key may make 120 requests in a minute. */
const BAR_UPDATES_PER_POLL = 4

/** Calls the API. Throws with the response body unless the status is as expected. */
async function call<T>(
  service: ServiceAddresses,
  method: string,
  path: string,
  expectedStatus: number,
  body?: unknown,
): Promise<T> {
  const response = await fetch(service.api + path, {
    method,
    headers: {
      Authorization: `Bearer ${service.api_key}`,
      'Content-Type': 'application/json',
      ...(method === 'POST' ? { 'Idempotency-Key': crypto.randomUUID() } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const reply: unknown = await response.json()
  if (response.status !== expectedStatus)
    throw new Error(`${method} ${path} responded with ${response.status}: ${JSON.stringify(reply)}`)
  return reply as T
}

interface Endpoint {
  id: number
  url: string
}

/**
 * Registers the webhook receiver and keeps the secret that only this response contains. Removes the
 * endpoints of earlier demos first: they would send the same events, signed with lost secrets.
 */
export async function registerWebhook(
  service: ServiceAddresses,
  integrator: Integrator,
): Promise<void> {
  const path = '/v1/webhook-endpoints'
  const url = `${integrator.baseUrl}/hook`
  const { data } = await call<{ data: Endpoint[] }>(service, 'GET', path, 200)
  for (const old of data.filter((endpoint) => endpoint.url === url))
    await call(service, 'DELETE', `${path}/${old.id}`, 200)
  const body = { url, events: ['video.created', 'video.ready', 'video.failed'] }
  const { secret } = await call<{ secret: string }>(service, 'POST', path, 201, body)
  integrator.setSecret(secret)
}

/** Creates a video from the integrator's link. The default title is the file name in the link. */
export const createVideo = (
  service: ServiceAddresses,
  sourceUrl: string,
  title?: string,
): Promise<VideoView> => call(service, 'POST', '/v1/videos', 202, { source_url: sourceUrl, title })

/** Follows a video until it is `ready`. Throws if it fails or its status goes backwards. */
export async function followVideo(
  service: ServiceAddresses,
  client: Client,
  id: string,
  screen: Screen,
): Promise<VideoView> {
  let last: VideoStatus = 'queued'
  for (let round = 0; ; round += 1) {
    // The query fails until the relay has started the workflow.
    const progress = await readVideoProgress(client, id).catch(() => null)
    for (const { name, fraction, stage } of progress?.renditions ?? [])
      screen.bar(name, stage === 'published' ? 1 : Math.min(fraction, 0.99))
    await new Promise((resolve) => setTimeout(resolve, BARS_MS))
    if (round % BAR_UPDATES_PER_POLL !== 0) continue
    const video = await call<VideoView>(service, 'GET', `/v1/videos/${id}`, 200)
    if (video.status !== last) screen.fact('status', `${last} → ${video.status}`)
    if (VIDEO_STATUSES.indexOf(video.status) < VIDEO_STATUSES.indexOf(last))
      throw new Error(`the status went back from ${last} to ${video.status}`)
    last = video.status
    if (video.status === 'failed') throw new Error(`the video failed: ${video.error?.message}`)
    if (video.status !== 'ready') continue
    for (const { name } of progress?.renditions ?? []) screen.bar(name, 1)
    return video
  }
}

interface Token {
  embed_url: string
  iframe_html: string
}

/** Returns a page of the integrator's site that embeds the video with a viewer token, above `caption`. */
export async function embedPage(
  service: ServiceAddresses,
  videoId: string,
  caption = '',
): Promise<{ html: string; embedUrl: string }> {
  const path = `/v1/videos/${videoId}/playback-tokens`
  const token = await call<Token>(service, 'POST', path, 201, { viewer_id: 'demo-viewer' })
  const html = `<!doctype html><meta charset="utf-8"><title>Reelgate demo</title>
<body style="max-width:960px;margin:40px auto;font-family:system-ui">
<h1>A page of your site</h1>${token.iframe_html}
<p>${escapeHtml(caption)}</p></body>`
  return { html, embedUrl: token.embed_url }
}

const playerDataSchema = z.object({
  session: z.string(),
  sessionHeader: z.string(),
  manifestUrl: z.string(),
})

/** Loads the embed page as an iframe would, then its manifest and a segment. Throws unless the segment is encrypted. */
export async function checkEmbed(
  { player }: ServiceAddresses,
  integrator: Integrator,
  embedUrl: string,
): Promise<void> {
  const response = await fetch(embedUrl, { headers: { Referer: `${integrator.baseUrl}/` } })
  const html = await response.text()
  if (response.status !== 200) throw new Error(`the embed responded with ${response.status}`)
  const [, json = ''] = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(html) ?? []
  const data = playerDataSchema.parse(JSON.parse(json))
  const manifest = await fetch(player + data.manifestUrl, {
    headers: { [data.sessionHeader]: data.session },
  })
  const [, init] = /initialization="([^"]+)"/.exec(await manifest.text()) ?? []
  if (init === undefined) throw new Error(`the manifest responded with ${manifest.status}`)
  const segment = Buffer.from(await (await fetch(init)).arrayBuffer())
  if (!segment.includes('encv') && !segment.includes('enca'))
    throw new Error('a segment is not encrypted')
}
