import type { Client } from '@temporalio/client'
import { VIDEO_STATUSES } from '../../domain/video-state.ts'
import type { VideoStatus } from '../../domain/video-state.ts'
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
export async function call<T>(
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
  const answer: unknown = await response.json()
  if (response.status !== expectedStatus)
    throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`)
  return answer as T
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

/** Creates a video from the integrator's link. */
export const createVideo = (service: ServiceAddresses, sourceUrl: string): Promise<VideoView> =>
  call(service, 'POST', '/v1/videos', 202, { source_url: sourceUrl })

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
