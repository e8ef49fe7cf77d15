import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { openHttpsHost, sendFile } from '../local-https/https-host.ts'

export interface VerifiedEvent {
  type: string
  isGenuine: boolean
}

/** The integrator's side of the demo: an https site with a source file, a webhook receiver and a page. */
export interface Integrator {
  baseUrl: string
  sourceUrl: string
  /**
   * The page, over http like the demo's player: from https to http, browsers send no Referer, and the
   * player refuses the embed.
   */
  pageUrl: string
  /** PEM file of the authority that signed its certificate. */
  caFile: string
  /** Sets the secret that deliveries are verified with. */
  setSecret(secret: string): void
  /** Sets the content of the page. */
  setPage(html: string): void
  close(): Promise<void>
}

/** Starts the site on `port`, which the contract limits to 443 and 8443. Throws if the port is taken. */
export async function startIntegrator(options: {
  port: number
  source: string
  dataDir: string
  onEvent: (event: VerifiedEvent) => void
}): Promise<Integrator> {
  const { port } = options
  const caFile = join(options.dataDir, 'demo-ca.pem')
  const state = { secret: '', page: '' }
  const sourcePath = `/${encodeURIComponent(basename(options.source))}`
  const handle: RequestListener = (request, response) => {
    if (request.url === sourcePath) return void sendFile(options.source, request, response)
    if (request.url === '/hook')
      return void receive(request, response, state.secret, options.onEvent)
    sendPage(response, state.page)
  }
  const hosts = ['localhost', '127.0.0.1']
  const host = { hosts, address: '127.0.0.1', port, caFile, handle }
  const close = await openHttpsHost(host).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? new Error(`port ${port} is taken: free it, or set DEMO_PORT=443`)
      : error
  })
  const page = createServer((_request, response) => sendPage(response, state.page))
  await once(page.listen(0, '127.0.0.1'), 'listening')
  const baseUrl = `https://localhost:${port}`
  return {
    baseUrl,
    caFile,
    sourceUrl: baseUrl + sourcePath,
    pageUrl: `http://localhost:${(page.address() as AddressInfo).port}/`,
    setSecret: (secret) => (state.secret = secret),
    setPage: (html) => (state.page = html),
    async close() {
      page.close()
      page.closeAllConnections()
      await close()
    },
  }
}

const sendPage = (response: ServerResponse, html: string): void =>
  void response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html)

const eventSchema = z.object({ type: z.string() })

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  secret: string,
  onEvent: (event: VerifiedEvent) => void,
): Promise<void> {
  const body = await text(request)
  const headers = { 'service-signature': String(request.headers['service-signature'] ?? '') }
  const isVerified = isGenuine({ headers, body, receivedAtMs: Date.now() }, secret)
  response.writeHead(isVerified ? 200 : 400).end()
  const { type } = eventSchema.parse(JSON.parse(body))
  onEvent({ type, isGenuine: isVerified })
}

interface ReceivedWebhook {
  headers: Record<string, string>
  body: string
  receivedAtMs: number
}

/** Verifies a delivery as an integrator would (contract, "Delivery"). */
export function isGenuine(delivery: ReceivedWebhook, secret: string): boolean {
  const header = delivery.headers['service-signature'] ?? ''
  const [, t = '', v1 = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
  if (t === '' || Math.abs(delivery.receivedAtMs / 1000 - Number(t)) > 300) return false
  const expected = createHmac('sha256', secret).update(`${t}.${delivery.body}`).digest()
  return timingSafeEqual(expected, Buffer.from(v1, 'hex'))
}
