import { writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isGenuine } from '../../scripts/demo/integrator.ts'
import { openHttpsHost, sendFile } from '../../scripts/local-https/https-host.ts'
import { makeSource } from '../fixtures/sources.ts'
import { checkEvent } from '../infrastructure/check-events.ts'
import { keyServerListener } from '../infrastructure/key-server/key-server.ts'
import { GATEWAY, SITE_PORT, SITE_URL } from './installation.ts'

/** An integrator's site on this machine, which the containers reach: a source, a receiver and a page. */
export interface Site {
  baseUrl: string
  caFile: string
  sourceUrl: string
  /** The same by a name, which only a DNS server of the drill knows. */
  namedSourceUrl: string
  /** A video that takes an encoder about half a minute. */
  videoUrl: string
  /** Not a video. */
  brokenUrl: string
  /** A receiver of any signed body. */
  receiverUrl: string
  /** Types of the webhooks whose signature and body were right, as they came. */
  verified: string[]
  /** Sets the secret of the webhook endpoint. */
  setSecret: (secret: string) => void
  secret: () => string
  /** Lets the receiver respond with 500, or as it should again. */
  setDown: (isDown: boolean) => void
  /** Lets the key server of Multi-DRM refuse our credentials, or none. */
  setKeysRefused: (isRefused: boolean) => void
  setPage: (html: string) => void
  close: () => Promise<void>
}

export const SITE_NAME = 'site.reelgate.internal'
/** What is expected while the credentials are refused. */
const OTHERS = { kind: 'basic', username: 'others', password: 'others' } as const

/** Opens the site with a source of five seconds, and one of forty. */
export async function openSite(folder: string): Promise<Site> {
  const source = join(folder, 'lesson.mp4')
  await makeSource(source, { seconds: 5, rate: 15 })
  const video = join(folder, 'film.mp4')
  await makeSource(video, { seconds: 40 })
  const broken = join(folder, 'broken.mp4')
  await writeFile(broken, 'not a video'.repeat(1_000))
  const caFile = join(folder, 'site-ca.pem')
  const verified: string[] = []
  const state = { secret: '', page: '', isDown: false, keysRefused: false }
  const sources: Record<string, string> = {
    '/lesson.mp4': source,
    '/film.mp4': video,
    '/broken.mp4': broken,
  }
  const responseKeys = keyServerListener(() => (state.keysRefused ? { expects: OTHERS } : {}))
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const file = sources[request.url ?? '']
    if (file !== undefined) return void sendFile(file, request, response)
    if (request.url === '/hook' && state.isDown) return void response.writeHead(500).end()
    if (request.url === '/hook')
      return void receive(request, response, state.secret, (body) => {
        checkEvent(body)
        verified.push((JSON.parse(body) as { type: string }).type)
      })
    if (request.url === '/receiver') return void receive(request, response, state.secret)
    if (request.url === '/speke') return responseKeys(request, response)
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(state.page)
  }
  const host = {
    hosts: [GATEWAY, SITE_NAME, 'localhost'],
    address: '0.0.0.0',
    port: SITE_PORT,
    caFile,
    handle,
  }
  const close = await openHttpsHost(host)
  return {
    baseUrl: SITE_URL,
    caFile,
    sourceUrl: `${SITE_URL}/lesson.mp4`,
    namedSourceUrl: `https://${SITE_NAME}:${SITE_PORT}/lesson.mp4`,
    videoUrl: `${SITE_URL}/film.mp4`,
    brokenUrl: `${SITE_URL}/broken.mp4`,
    receiverUrl: `${SITE_URL}/receiver`,
    verified,
    setSecret: (secret) => (state.secret = secret),
    secret: () => state.secret,
    setDown: (isDown) => (state.isDown = isDown),
    setKeysRefused: (isRefused) => (state.keysRefused = isRefused),
    setPage: (html) => (state.page = html),
    close,
  }
}

/** Responds with 200 to what is signed with the secret, after `accept`, and 400 to other bodies. */
async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  secret: string,
  accept?: (body: string) => void,
): Promise<void> {
  const body = await text(request)
  const headers = { 'service-signature': String(request.headers['service-signature'] ?? '') }
  const isVerified = isGenuine({ headers, body, receivedAtMs: Date.now() }, secret)
  if (isVerified) accept?.(body)
  response.writeHead(isVerified ? 200 : 400).end()
}
