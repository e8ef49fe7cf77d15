import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isGenuine } from '../../scripts/demo/integrator.ts'
import { openHttpsHost, sendFile } from '../../scripts/local-https/https-host.ts'
import { makeSource } from '../fixtures/sources.ts'
import { checkEvent } from '../infrastructure/check-events.ts'
import { GATEWAY } from './installation.ts'

/** An integrator's site on this machine, which the containers reach: a source, a receiver and a page. */
export interface Site {
  baseUrl: string
  caFile: string
  sourceUrl: string
  /** Types of the webhooks whose signature and body were right, as they came. */
  verified: string[]
  /** Sets the secret of the webhook endpoint. */
  setSecret: (secret: string) => void
  setPage: (html: string) => void
  close: () => Promise<void>
}

const PORT = 8443

/** Opens the site with a source of five seconds. */
export async function openSite(folder: string): Promise<Site> {
  const source = join(folder, 'lesson.mp4')
  await makeSource(source, { seconds: 5, rate: 15 })
  const caFile = join(folder, 'site-ca.pem')
  const verified: string[] = []
  const state = { secret: '', page: '' }
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url === '/lesson.mp4') return void sendFile(source, request, response)
    if (request.url === '/hook') return void receive(request, response, state.secret, verified)
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(state.page)
  }
  const host = { hosts: [GATEWAY, 'localhost'], address: '0.0.0.0', port: PORT, caFile, handle }
  const close = await openHttpsHost(host)
  const baseUrl = `https://${GATEWAY}:${PORT}`
  return {
    baseUrl,
    caFile,
    sourceUrl: `${baseUrl}/lesson.mp4`,
    verified,
    setSecret: (secret) => (state.secret = secret),
    setPage: (html) => (state.page = html),
    close,
  }
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  secret: string,
  verified: string[],
): Promise<void> {
  const body = await text(request)
  const headers = { 'service-signature': String(request.headers['service-signature'] ?? '') }
  const isVerified = isGenuine({ headers, body, receivedAtMs: Date.now() }, secret)
  if (isVerified) {
    checkEvent(body)
    verified.push((JSON.parse(body) as { type: string }).type)
  }
  response.writeHead(isVerified ? 200 : 400).end()
}
