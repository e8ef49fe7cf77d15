import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { findSource } from '../../scripts/demo/source.ts'
import { openHttpsHost, sendFile } from '../../scripts/local-https/https-host.ts'
import { startService, type ServiceAddresses } from '../../scripts/service-process.ts'
import { makePng } from '../fixtures/pictures.ts'

const videoSchema = z.object({
  id: z.string(),
  status: z.string(),
  duration: z.number().nullable(),
  resolutions: z.array(z.number()),
  error: z.object({ code: z.string() }).nullable(),
})
const usageSchema = z.object({ encoding: z.object({ minutes: z.number() }) })

/** The fields of a video that are compared. */
type VideoFacts = z.output<typeof videoSchema>

/**
 * A service like that of `npm start`, with a video that is ready and a newer one that has failed. In a caption of the first, the search
 * finds "energy".
 */
export interface FilledService {
  addresses: ServiceAddresses
  ready: VideoFacts
  failed: VideoFacts
  /** The minutes that the usage of the account says. */
  encodedMinutes: number
  /** Where webhooks arrive. */
  receiverUrl: string
  /** A link to which nothing responds. */
  silentUrl: string
  /** A PNG. */
  picturePath: string
  pictureBytes: number
  stop(): Promise<void>
}

/** The sources need one of the two ports of the contract; on Linux each loopback address has its own. */
const PORT = 8443
const ADDRESS = process.platform === 'linux' ? '127.0.8.43' : '127.0.0.1'
const POLL_MS = 1_000
const VIDEO_TIMEOUT_MS = 5 * 60_000
/** The index follows within a minute. */
const SEARCH_TIMEOUT_MS = 3 * 60_000

/** Starts the service with its data in `folder`. */
export async function startFilledService(folder: string): Promise<FilledService> {
  const caFile = join(folder, 'ca.pem')
  const closeSite = await openSite(folder, caFile)
  const data = join(folder, 'data')
  await mkdir(data)
  const service = startService(data, {
    EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
    EGRESS_CA_FILE: caFile,
    // All clients share a key.
    API_REQUESTS_PER_MINUTE: '10000',
  })
  const stop = async () => {
    await service.stop()
    await closeSite()
  }
  try {
    const addresses = await service.ready
    const site = `https://${ADDRESS}:${PORT}`
    const ready = await videoFrom(`${site}/video.mp4`, 'ready', addresses)
    const failed = await videoFrom(`${site}/damaged.mp4`, 'failed', addresses)
    await addCaption(ready.id, addresses)
    const { encoding } = usageSchema.parse(await call(addresses, '/v1/usage'))
    const [picture, picturePath] = [makePng(), join(folder, 'poster.png')]
    await writeFile(picturePath, picture)
    return {
      addresses,
      ready,
      failed,
      encodedMinutes: encoding.minutes,
      receiverUrl: `${site}/hook`,
      silentUrl: `${site}/silent.mp4`,
      picturePath,
      pictureBytes: picture.length,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Opens a site with a video and a file that is none. Its response to a webhook is 200. */
async function openSite(folder: string, caFile: string): Promise<() => Promise<void>> {
  const { path: video } = await findSource(undefined)
  const damaged = join(folder, 'damaged.mp4')
  await writeFile(damaged, 'This is not a video.')
  return openHttpsHost({
    hosts: [ADDRESS],
    address: ADDRESS,
    port: PORT,
    caFile,
    handle(request, response) {
      if (request.url === '/video.mp4') return void sendFile(video, request, response)
      if (request.url === '/damaged.mp4') return void sendFile(damaged, request, response)
      if (request.url === '/silent.mp4') return
      request.resume()
      response.end()
    },
  })
}

/** Creates a video and waits until it has the status. */
async function videoFrom(
  source_url: string,
  status: string,
  service: ServiceAddresses,
): Promise<VideoFacts> {
  const endsAtMs = Date.now() + VIDEO_TIMEOUT_MS
  let video = videoSchema.parse(await call(service, '/v1/videos', { source_url }))
  while (video.status !== status) {
    if (Date.now() > endsAtMs || video.status === 'failed')
      throw new Error(`the video became ${JSON.stringify(video)} instead of ${status}`)
    await sleep(POLL_MS)
    video = videoSchema.parse(await call(service, `/v1/videos/${video.id}`))
  }
  return video
}

const CAPTION = 'WEBVTT\n\n00:01.500 --> 00:02.500\nThe light is turned into energy.\n'
const foundSchema = z.object({ data: z.array(z.unknown()) })

/** Adds a caption to a video, and waits until the search finds it. */
async function addCaption(videoId: string, service: ServiceAddresses): Promise<void> {
  const body = { language_code: 'en', label: 'English', content: CAPTION }
  await call(service, `/v1/videos/${videoId}/captions`, body)
  const endsAtMs = Date.now() + SEARCH_TIMEOUT_MS
  while (foundSchema.parse(await call(service, '/v1/search?q=energy')).data.length === 0) {
    if (Date.now() > endsAtMs) throw new Error('the search does not find the caption')
    await sleep(POLL_MS)
  }
}

async function call(service: ServiceAddresses, path: string, body?: object): Promise<unknown> {
  const response = await fetch(service.api + path, {
    headers: {
      Authorization: `Bearer ${service.api_key}`,
      'Content-Type': 'application/json',
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const result: unknown = await response.json()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(result)}`)
  return result
}
