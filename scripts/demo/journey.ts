import type { Client } from '@temporalio/client'
import { VIDEO_STATUSES } from '../../domain/video-state.ts'
import type { VideoStatus } from '../../domain/video-state.ts'
import type { Integrator } from './integrator.ts'
import { showProgress } from './progress-bars.ts'
import type { Service } from './service.ts'

export interface VideoView {
  id: string
  status: VideoStatus
  duration: number | null
  size_bytes: number
  error: { code: string; message: string } | null
}

const BARS_MS = 250
/** A key may make 120 requests a minute. */
const BARS_A_POLL = 4

/** One call of the API; throws with the error's code and message unless the status is as expected. */
export async function call<T>(
  service: Service,
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

/** Registers the receiver; its secret is in this answer and in no other. */
export async function registerWebhook(service: Service, integrator: Integrator): Promise<void> {
  const events = ['video.created', 'video.ready', 'video.failed']
  const body = { url: `${integrator.baseUrl}/hook`, events }
  const { secret } = await call<{ secret: string }>(
    service,
    'POST',
    '/v1/webhook-endpoints',
    201,
    body,
  )
  integrator.setSecret(secret)
}

/** Hands the film in. */
export const submitFilm = (service: Service, sourceUrl: string): Promise<VideoView> =>
  call(service, 'POST', '/v1/videos', 202, { source_url: sourceUrl })

/** Follows a video to `ready`; throws where it fails, or where a status goes back. */
export async function followVideo(
  service: Service,
  client: Client,
  id: string,
): Promise<VideoView> {
  const bars = showProgress(client, id)
  let last: VideoStatus = 'queued'
  try {
    for (let round = 0; ; round += 1) {
      await bars.update()
      await new Promise((resolve) => setTimeout(resolve, BARS_MS))
      if (round % BARS_A_POLL !== 0) continue
      const video = await call<VideoView>(service, 'GET', `/v1/videos/${id}`, 200)
      if (video.status !== last) console.log(`  status ${last} → ${video.status}`)
      if (VIDEO_STATUSES.indexOf(video.status) < VIDEO_STATUSES.indexOf(last))
        throw new Error(`the status went back from ${last} to ${video.status}`)
      last = video.status
      if (video.status === 'failed') throw new Error(`failed: ${video.error?.message}`)
      if (video.status === 'ready') return video
    }
  } finally {
    bars.stop()
  }
}
